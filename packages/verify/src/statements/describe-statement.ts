import canonicalize from 'canonicalize';
import type { Network } from '../network';
import { NETWORK_NAMES, TRAITS } from '../receipts/describe-traits';

/**
 * The trait types of a statement's metadata, shared by the code that writes it and the code that
 * checks it. They are written into permanent storage; never rename one, only add.
 */
export const STATEMENT_TRAITS = {
  statementId: 'Statement ID',
  issuedAt: 'Issued at (UTC)',
  network: 'Network',
  wallet: 'Wallet',
  selection: 'Selection',
  firstDay: 'First day (UTC)',
  lastDay: 'Last day (UTC)',
  /** First instant of a scan, the instant that ends it, and the least value of a row. */
  from: 'Period from (UTC)',
  until: 'Period until (UTC)',
  leastUsd: 'Least value of a row in USD',
  /** Whether every account of the wallet could be searched. */
  searched: 'Accounts searched',
  count: 'Transactions',
  /** Legs listed; an older statement has one for each transaction, and no such trait. */
  rows: 'Rows',
  totalUsd: 'Turnover in USD',
  asPayerUsd: 'Paid in USD',
  asSellerUsd: 'Received in USD',
  csvSha256: 'SHA-256 of the CSV',
  merkleRoot: 'Merkle root of the rows',
  template: TRAITS.template,
} as const;

/** `Paid in USDC`, `Received in USDC`: one pair for each token of the rows. */
export const paidTrait = (token: string): string => `Paid in ${token}`;
export const receivedTrait = (token: string): string => `Received in ${token}`;

/** Values of `Selection` for the two ways to choose transactions. */
export const SELECTIONS = {
  list: 'transactions named by the wallet',
  scan: 'all payments found in the period',
} as const;

/** Values of `Accounts searched`. */
export const SEARCHED = { all: 'all', some: 'not all' } as const;

/** The current template of a statement's metadata. Older metadata does not name its template. */
export const STATEMENT_TEMPLATE = '4';

/** All texts of the metadata of a statement. A text that its template did not have is null. */
export type StatementTexts = {
  statementId: string;
  issuedAt: string;
  network: Network;
  /** Address of its page. */
  pageUrl: string;
  wallet: string;
  selection: string;
  firstDay: string;
  lastDay: string;
  from: string | null;
  until: string | null;
  leastUsd: string | null;
  searched: string | null;
  count: string;
  rows: string | null;
  totalUsd: string;
  asPayerUsd: string;
  asSellerUsd: string;
  /** In alphabetical order of the symbols. */
  tokens: readonly { token: string; paid: string; received: string }[];
  csvSha256: string;
  merkleRoot: string;
  template: string | null;
};

/** Name of a statement and of its NFT: at most 23 bytes, the program takes 32. */
export function statementName(o: Pick<StatementTexts, 'statementId' | 'network'>): string {
  return o.network === 'local' ? `TEST CHAIN ${o.statementId}` : `Statement ${o.statementId}`;
}

/**
 * The metadata of a statement: UTF-8 bytes of canonical JSON (RFC 8785), in the Metaplex form that
 * wallets read. All of it is the issuer's word, because sums are. The root and the hash bind the
 * rows, and each row can be checked on chain. Equal texts give equal bytes, so a reader of the
 * texts can decide whether it holds anything else.
 */
export function writeStatementMetadata(texts: StatementTexts, imageUri: string): Uint8Array {
  const json = canonicalize({
    name: statementName(texts),
    symbol: 'STMT',
    description: description(texts),
    image: imageUri,
    external_url: texts.pageUrl,
    attributes: entries(texts).map(([trait_type, value]) => ({
      trait_type,
      value,
      verification: 'self_reported',
      reported_by: 'service',
    })),
    properties: { files: [{ uri: imageUri, type: 'image/png' }], category: 'image' },
  });
  if (json === undefined) throw new Error('the metadata has no JSON form');
  return new TextEncoder().encode(json);
}

function description({ count, firstDay, lastDay, network }: StatementTexts): string {
  const payments = `${count} ${count === '1' ? 'payment' : 'payments'}`;
  const words = `Statement of ${payments} on Solana from ${firstDay} to ${lastDay} (UTC). The sums are the issuer's word; each row can be checked against its transaction, and against the Merkle root below.`;
  if (network === 'local') return `TEST CHAIN: not a real statement, no money moved. ${words}`;
  if (network === 'devnet') return `Solana devnet: not a real statement. ${words}`;
  return words;
}

/** The traits in their order; those of later templates are left out where they are null. */
function entries(texts: StatementTexts): [trait: string, value: string][] {
  const named = (name: Exclude<keyof typeof STATEMENT_TRAITS, 'network'>): [string, string][] => {
    const value = texts[name];
    return value === null ? [] : [[STATEMENT_TRAITS[name], value]];
  };
  return [
    ...named('statementId'),
    ...named('issuedAt'),
    [STATEMENT_TRAITS.network, NETWORK_NAMES[texts.network]],
    ...(['wallet', 'selection', 'firstDay', 'lastDay'] as const).flatMap(named),
    ...(['from', 'until', 'leastUsd', 'searched', 'count', 'rows'] as const).flatMap(named),
    ...(['totalUsd', 'asPayerUsd', 'asSellerUsd'] as const).flatMap(named),
    ...texts.tokens.flatMap(({ token, paid, received }): [string, string][] => [
      [paidTrait(token), paid],
      [receivedTrait(token), received],
    ]),
    ...(['csvSha256', 'merkleRoot', 'template'] as const).flatMap(named),
  ];
}
