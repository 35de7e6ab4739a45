import { z } from 'zod';
import { readTransfer } from '@quittance/verify/chain/read-transfer';
import { createRpc } from '@/server/chain/rpc';
import type { ReceiptEvidence } from '@quittance/verify/receipts/check-evidence';
import type { IssuerDocument } from '@quittance/verify/receipts/issuer-document';
import {
  fetchIssuer,
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
  const [issuer, receipt] = await Promise.all([
    fetchIssuer(o.baseUrl),
    fetchJson(`${o.baseUrl}/receipt/${o.receiptId}`, receiptAnswer),
  ]);
  return collectEvidence({ ...o, issuer, receipt });
}

/** The evidence that lies outside of the issuer: chain, index of assets and gateway. */
export async function collectEvidence(o: {
  receiptId: string;
  issuer: IssuerDocument;
  receipt: z.output<typeof receiptAnswer>;
  rpcUrl: string;
  gatewayUrl: string;
}): Promise<ReceiptEvidence> {
  const { receiptId: id, receipt } = o;
  const rpc = createRpc({ urls: [o.rpcUrl], timeoutMs: TIMEOUT_MS });
  const [minted, payment] = await Promise.all([
    gatherMint({ ...o, kind: 'receipt', id, told: receipt, assetId: receipt.asset_id }),
    readTransfer({ rpc, network: o.issuer.network, signature: receipt.tx_signature }),
  ]);
  return { receiptId: id, ...minted, payment };
}
