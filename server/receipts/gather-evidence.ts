import { z } from 'zod';
import { readTransfer } from '@/server/chain/read-transfer';
import { createRpc } from '@/server/chain/rpc';
import type { ReceiptEvidence } from './check-evidence';
import type { IssuerDocument } from './issuer-document';
import {
  fetchJson,
  gatherMint,
  mintedAnswer,
  TIMEOUT_MS,
  type EvidencePlaces,
} from './gather-mint';

const receiptAnswer = mintedAnswer.extend({ tx_signature: z.string(), asset_id: z.string() });

/**
 * Fetches all that {@link checkReceipt} looks at, over HTTP alone, as anyone outside can. The issuer's
 * answer only tells where to look; what is found there is judged against the chain and the signatures.
 * Throws when something cannot be fetched or the receipt has no NFT yet.
 */
export async function gatherEvidence(
  o: { receiptId: string } & EvidencePlaces,
): Promise<ReceiptEvidence> {
  const { receiptId: id } = o;
  const receipt = await fetchJson(`${o.baseUrl}/receipt/${id}`, receiptAnswer);
  return collectEvidence({ ...o, receipt });
}

/** The same where the receipt, and perhaps the issuer's document, are at hand. */
export async function collectEvidence(
  o: { receiptId: string } & EvidencePlaces & {
      receipt: z.output<typeof receiptAnswer>;
      issuer?: IssuerDocument;
    },
): Promise<ReceiptEvidence> {
  const { receiptId: id, receipt } = o;
  const rpc = createRpc({ urls: [o.rpcUrl], timeoutMs: TIMEOUT_MS });
  const [minted, payment] = await Promise.all([
    gatherMint({ ...o, kind: 'receipt', id, told: receipt, assetId: receipt.asset_id }),
    readTransfer({ rpc, signature: receipt.tx_signature }),
  ]);
  return { receiptId: id, ...minted, payment };
}
