import type { MintEvidence } from '@quittance/verify/receipts/check-evidence';
import { z } from 'zod';
import {
  fetchIssuer,
  fetchJson,
  gatherMint,
  mintedAnswer,
  placesOf,
  type EvidencePlaces,
  type OwnPlaces,
} from '@/server/receipts/gather-evidence';
import type { Membership, StatementEvidence } from '@quittance/verify/statements/check-statement';
import { lookUpRows } from '@quittance/verify/statements/look-up-rows';
import { rowProof } from '@quittance/verify/statements/statement-proof';

const DATA_URI = 'data:text/csv;base64,';
const answer = mintedAnswer.extend({
  nft_mint: z.string(),
  transactions: z
    .array(
      z.looseObject({ tx_signature: z.string(), slot: z.number(), leg: z.number().optional() }),
    )
    .min(1),
  csv_url: z.string().startsWith(DATA_URI),
});

/** The statement in the service's records. No check relies on it. */
export async function collectStatement(
  o: {
    statementId: string;
    issuer: MintEvidence['issuer'];
    told: z.output<typeof answer>;
    /** Most transactions that are looked up. Rows of others count as not checked. */
    mostLookedUp: number;
  } & OwnPlaces,
): Promise<StatementEvidence> {
  const { statementId: id, told } = o;
  const signatures = [...new Set(told.transactions.map((row) => row.tx_signature))];
  const few = new Set(signatures.slice(0, o.mostLookedUp));
  const [minted, payments] = await Promise.all([
    gatherMint({ ...o, kind: 'statement', id, assetId: told.nft_mint }),
    lookUpRows(
      told.transactions.filter((row) => few.has(row.tx_signature)),
      o,
    ),
  ]);
  const csv = Buffer.from(told.csv_url.slice(DATA_URI.length), 'base64');
  return { statementId: id, ...minted, payments, membership: null, rows: told.transactions, csv };
}

/** A statement of which everything is shown. */
export type WholeStatement = StatementEvidence & {
  rows: readonly unknown[];
  csv: Uint8Array;
  membership: Membership;
};

/**
 * Fetches all that {@link checkStatement} reads, over HTTP alone, as anyone outside can. Throws when
 * something cannot be fetched or the statement has no NFT yet.
 */
export async function gatherStatement(
  o: { statementId: string } & EvidencePlaces,
): Promise<WholeStatement> {
  const { statementId: id } = o;
  const [issuer, told] = await Promise.all([
    fetchIssuer(o.baseUrl),
    fetchJson(`${o.baseUrl}/statement/${id}`, answer),
  ]);
  const places = placesOf({ ...o, network: issuer.network });
  const middle = told.transactions[Math.floor(told.transactions.length / 2)];
  const one = middle?.tx_signature ?? '';
  const leg = middle?.leg === undefined ? '' : `?leg=${middle.leg}`;
  const [minted, shown, payments] = await Promise.all([
    gatherMint({ ...o, ...places, issuer, kind: 'statement', id, told, assetId: told.nft_mint }),
    fetchJson(`${o.baseUrl}/statement/${id}/proof/${one}${leg}`, rowProof),
    lookUpRows(told.transactions, places),
  ]);
  const payment = payments.get(one);
  if (!payment) throw new RangeError('every row is looked up');
  return {
    statementId: id,
    ...minted,
    payments,
    membership: { ...shown, payment },
    rows: told.transactions,
    csv: Buffer.from(told.csv_url.slice(DATA_URI.length), 'base64'),
  };
}
