import { createHash } from 'node:crypto';
import { z } from 'zod';
import { readTransfer } from '@/server/chain/read-transfer';
import { createRpc } from '@/server/chain/rpc';
import type { ItemParts } from '@/server/storage/verify-item';
import type { ReceiptEvidence } from './check-evidence';
import { issuerDocument, type IssuerDocument } from './issuer-document';

/** From whom to take the evidence: the issuer, any node with DAS, any gateway. */
export type EvidencePlaces = { baseUrl: string; rpcUrl: string; gatewayUrl: string };

const TIMEOUT_MS = 15_000;

const receiptAnswer = z.object({
  tx_signature: z.string(),
  metadata_uri: z.url(),
  image_uri: z.url(),
  mint_signature: z.string(),
  asset_id: z.string(),
  tree: z.string(),
});
const itemAnswer = z.object({
  address: z.string(),
  signature: z.string(),
  tags: z.array(z.object({ name: z.string(), value: z.string() })),
});
const assetAnswer = z.object({
  id: z.string(),
  ownership: z.object({ owner: z.string(), delegate: z.string().nullish() }),
});
const proofAnswer = z.object({ root: z.string(), proof: z.array(z.string()) });

/**
 * Fetches all that {@link checkReceipt} looks at, over HTTP alone, as anyone outside can. The issuer's
 * answer only tells where to look; what is found there is judged against the chain and the signatures.
 * Throws when something cannot be fetched or the receipt has no NFT yet.
 */
export async function gatherEvidence(
  o: { receiptId: string } & EvidencePlaces,
): Promise<ReceiptEvidence> {
  const [issuer, receipt] = await Promise.all([
    fetchJson(`${o.baseUrl}/.well-known/quittance.json`, issuerDocument),
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
  const { issuer, receipt } = o;
  const rpc = createRpc({ urls: [o.rpcUrl], timeoutMs: TIMEOUT_MS });
  const [metadata, image, mintTransaction, asset, proof, account, payment] = await Promise.all([
    fetchItem(o, receipt.metadata_uri, 'metadata'),
    fetchItem(o, receipt.image_uri, 'image'),
    rpc.getTransaction(receipt.mint_signature, 'confirmed'),
    callDas(o.rpcUrl, 'getAsset', receipt.asset_id, assetAnswer),
    callDas(o.rpcUrl, 'getAssetProof', receipt.asset_id, proofAnswer),
    rpc.getAccountInfo(receipt.tree),
    readTransfer({ rpc, signature: receipt.tx_signature }),
  ]);
  return {
    receiptId: o.receiptId,
    issuer,
    metadata,
    image,
    mintTransaction,
    asset: {
      id: asset.id,
      owner: asset.ownership.owner,
      delegate: asset.ownership.delegate ?? null,
    },
    proof: { root: proof.root, siblings: proof.proof },
    tree: { address: receipt.tree, data: account?.data ?? new Uint8Array() },
    payment,
  };
}

/** An item's data from the gateway, with the parts that its signature covers. */
async function fetchItem(
  o: { receiptId: string; gatewayUrl: string },
  uri: string,
  part: 'metadata' | 'image',
): Promise<{ bytes: Uint8Array; item: ItemParts }> {
  const id = new URL(uri).pathname.split('/').at(-1) ?? '';
  const [response, told] = await Promise.all([
    get(`${o.gatewayUrl}/${id}`),
    fetchJson(`${o.gatewayUrl}/tx/${id}`, itemAnswer),
  ]);
  const bytes = new Uint8Array(await response.arrayBuffer());
  // The anchor follows from the receipt's id, so that no node has to be asked for it.
  const anchor = createHash('sha256')
    .update(`receipt:${o.receiptId}:${part}:v1`)
    .digest('hex')
    .slice(0, 32);
  return {
    bytes,
    item: {
      id,
      signature: Buffer.from(told.signature, 'base64url'),
      owner: told.address,
      anchor: Buffer.from(anchor),
      tags: told.tags,
      data: bytes,
    },
  };
}

async function callDas<T>(
  rpcUrl: string,
  method: string,
  id: string,
  schema: z.ZodType<T>,
): Promise<T> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { id } }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return z.object({ result: schema }).parse(await response.json()).result;
}

async function fetchJson<T>(url: string, schema: z.ZodType<T>): Promise<T> {
  return schema.parse(await (await get(url)).json());
}

async function get(url: string): Promise<Response> {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
  return response;
}
