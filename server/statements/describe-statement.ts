import { toDecimal, USD_DECIMALS } from '@quittance/verify/money';
import { NETWORK_NAMES } from '@quittance/verify/receipts/describe-traits';
import {
  paidTrait,
  receivedTrait,
  SELECTIONS,
  STATEMENT_TRAITS,
} from '@quittance/verify/statements/describe-statement';
import type { Totals } from '@quittance/verify/statements/statement-rows';
import canonicalize from 'canonicalize';
import type { Network } from '@/server/env';

/** All that a statement says about itself, from which its metadata and its picture are made. */
export type StatementFacts = {
  statementId: string;
  issuedAt: Date;
  network: Network;
  /** Origin of the service, without a trailing slash. */
  publicUrl: string;
  wallet: string;
  mode: 'list' | 'scan';
  /** UTC days of the first and last instant of a scan, or of the first and last row of a list. */
  firstDay: string;
  lastDay: string;
  complete: boolean;
  totals: Totals;
  /** Hex. */
  csvSha256: string;
  merkleRoot: string;
};

type Attribute = {
  trait_type: string;
  value: string;
  verification: 'self_reported';
  reported_by: 'service';
};

/** Name of the statement and of its NFT: at most 23 bytes, the program takes 32. */
export function statementName({
  statementId,
  network,
}: Pick<StatementFacts, 'statementId' | 'network'>): string {
  return network === 'local' ? `TEST CHAIN ${statementId}` : `Statement ${statementId}`;
}

/**
 * The metadata of a statement: UTF-8 bytes of canonical JSON (RFC 8785), in the Metaplex form that
 * wallets read. All of it is this service's word, as sums are; the root and the hash bind the rows, of
 * which each can be checked on chain. Equal facts give equal bytes.
 */
export function describeStatement(facts: StatementFacts, imageUri: string): Uint8Array {
  const page = `${facts.publicUrl}/s/${facts.statementId}`;
  const json = canonicalize({
    name: statementName(facts),
    symbol: 'STMT',
    description: description(facts),
    image: imageUri,
    external_url: page,
    attributes: attributes(facts),
    properties: { files: [{ uri: imageUri, type: 'image/png' }], category: 'image' },
  });
  if (json === undefined) throw new Error('the metadata has no JSON form');
  return new TextEncoder().encode(json);
}

function description(facts: StatementFacts): string {
  const { totals, firstDay, lastDay, network } = facts;
  const payments = `${totals.txCount} ${totals.txCount === 1 ? 'payment' : 'payments'}`;
  const words = `Statement of ${payments} on Solana from ${firstDay} to ${lastDay} (UTC). The sums are the issuer's word; each row can be checked against its transaction, and against the Merkle root below.`;
  if (network === 'local') return `TEST CHAIN: not a real statement, no money moved. ${words}`;
  if (network === 'devnet') return `Solana devnet: not a real statement. ${words}`;
  return words;
}

function attributes(facts: StatementFacts): Attribute[] {
  const { totals } = facts;
  const usd = (micros: bigint) => toDecimal(micros, USD_DECIMALS);
  const entries: [trait: string, value: string][] = [
    [STATEMENT_TRAITS.statementId, facts.statementId],
    [STATEMENT_TRAITS.issuedAt, facts.issuedAt.toISOString()],
    [STATEMENT_TRAITS.network, NETWORK_NAMES[facts.network]],
    [STATEMENT_TRAITS.wallet, facts.wallet],
    [STATEMENT_TRAITS.selection, SELECTIONS[facts.mode]],
    [STATEMENT_TRAITS.firstDay, facts.firstDay],
    [STATEMENT_TRAITS.lastDay, facts.lastDay],
    [STATEMENT_TRAITS.count, totals.txCount.toString()],
    [STATEMENT_TRAITS.rows, totals.rowCount.toString()],
    [STATEMENT_TRAITS.totalUsd, usd(totals.totalMicros)],
    [STATEMENT_TRAITS.asPayerUsd, usd(totals.asPayerMicros)],
    [STATEMENT_TRAITS.asSellerUsd, usd(totals.asSellerMicros)],
    ...totals.tokens.flatMap(({ token, decimals, asPayer, asSeller }): [string, string][] => [
      [paidTrait(token), toDecimal(asPayer, decimals)],
      [receivedTrait(token), toDecimal(asSeller, decimals)],
    ]),
    [STATEMENT_TRAITS.csvSha256, facts.csvSha256],
    [STATEMENT_TRAITS.merkleRoot, facts.merkleRoot],
  ];
  return entries.map(([trait_type, value]) => ({
    trait_type,
    value,
    verification: 'self_reported',
    reported_by: 'service',
  }));
}
