import { z } from 'zod';
import {
  fetchJson,
  gatherMint,
  mintedAnswer,
  type EvidencePlaces,
} from '@/server/receipts/gather-mint';
import type { StatementEvidence } from './check-statement';
import { pathStep } from './merkle';

const DATA_URI = 'data:text/csv;base64,';
const answer = mintedAnswer.extend({
  nft_mint: z.string(),
  transactions: z.array(z.looseObject({ tx_signature: z.string() })).min(1),
  csv_url: z.string().startsWith(DATA_URI),
});
const proof = z.object({ row: z.unknown(), path: z.array(pathStep) });

/**
 * Fetches all that {@link checkStatement} looks at, over HTTP alone, as anyone outside can. Throws when
 * something cannot be fetched or the statement has no NFT yet.
 */
export async function gatherStatement(
  o: { statementId: string } & EvidencePlaces,
): Promise<StatementEvidence> {
  const { statementId: id } = o;
  const told = await fetchJson(`${o.baseUrl}/statement/${id}`, answer);
  const one = told.transactions[Math.floor(told.transactions.length / 2)]?.tx_signature ?? '';
  const [minted, membership] = await Promise.all([
    gatherMint({ ...o, kind: 'statement', id, told, assetId: told.nft_mint }),
    fetchJson(`${o.baseUrl}/statement/${id}/proof/${one}`, proof),
  ]);
  return {
    statementId: id,
    ...minted,
    membership,
    rows: told.transactions,
    csv: Buffer.from(told.csv_url.slice(DATA_URI.length), 'base64'),
  };
}
