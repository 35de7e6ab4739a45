import { createHash } from 'node:crypto';
import { z } from 'zod';
import { createRpc } from '@/server/chain/rpc';
import type { ItemParts } from '@/server/storage/verify-item';
import type { MintEvidence } from './check-evidence';
import { issuerDocument, type IssuerDocument } from './issuer-document';

/** From whom to take the evidence: the issuer, any node with DAS, any gateway. */
export type EvidencePlaces = { baseUrl: string; rpcUrl: string; gatewayUrl: string };

export const TIMEOUT_MS = 15_000;

const itemAnswer = z.object({
  address: z.string(),
  signature: z.string(),
  tags: z.array(z.object({ name: z.string(), value: z.string() })),
});
const assetAnswer = z.object({
  id: z.string(),
  ownership: z.object({ owner: z.string(), delegate: z.string().nullish() }),
});
/** What a receipt's or a statement's own answer tells of where to look. */
export const mintedAnswer = z.object({
  metadata_uri: z.url(),
  image_uri: z.url(),
  mint_signature: z.string(),
  tree: z.string(),
});
const proofAnswer = z.object({ root: z.string(), proof: z.array(z.string()) });

/** Names the things that have an NFT, as their storage items do. */
type Named = { kind: 'receipt' | 'statement'; id: string };

/**
 * Fetches what is looked at of an NFT: its files from the gateway, its transaction, its leaf and its tree
 * from the chain, the issuer's document from the issuer. Throws when something cannot be fetched.
 */
export async function gatherMint(
  o: Named &
    EvidencePlaces & {
      told: z.infer<typeof mintedAnswer>;
      assetId: string;
      /** The issuer's document where it is at hand. */
      issuer?: IssuerDocument;
    },
): Promise<MintEvidence> {
  const { told } = o;
  const rpc = createRpc({ urls: [o.rpcUrl], timeoutMs: TIMEOUT_MS });
  const [issuer, metadata, image, mintTransaction, asset, proof, account] = await Promise.all([
    o.issuer ?? fetchJson(`${o.baseUrl}/.well-known/quittance.json`, issuerDocument),
    fetchItem(o, told.metadata_uri, 'metadata'),
    fetchItem(o, told.image_uri, 'image'),
    rpc.getTransaction(told.mint_signature, 'confirmed'),
    callDas(o.rpcUrl, 'getAsset', o.assetId, assetAnswer),
    callDas(o.rpcUrl, 'getAssetProof', o.assetId, proofAnswer),
    rpc.getAccountInfo(told.tree),
  ]);
  const { owner, delegate } = asset.ownership;
  return {
    ...{ issuer, metadata, image, mintTransaction },
    asset: { id: asset.id, owner, delegate: delegate ?? null },
    proof: { root: proof.root, siblings: proof.proof },
    tree: { address: told.tree, data: account?.data ?? new Uint8Array() },
  };
}

/** An item's data from the gateway, with the parts that its signature covers. */
async function fetchItem(
  o: Named & { gatewayUrl: string },
  uri: string,
  part: 'metadata' | 'image',
): Promise<{ bytes: Uint8Array; item: ItemParts }> {
  const id = new URL(uri).pathname.split('/').at(-1) ?? '';
  const [response, told] = await Promise.all([
    get(`${o.gatewayUrl}/${id}`),
    fetchJson(`${o.gatewayUrl}/tx/${id}`, itemAnswer),
  ]);
  const bytes = new Uint8Array(await response.arrayBuffer());
  // The anchor follows from the id, so that no node has to be asked for it.
  const anchor = createHash('sha256')
    .update(`${o.kind}:${o.id}:${part}:v1`)
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

/** A JSON answer, parsed; throws for any status but 200. */
export async function fetchJson<T>(url: string, schema: z.ZodType<T>): Promise<T> {
  return schema.parse(await (await get(url)).json());
}

/** An answer of status 200; throws for any other. */
async function get(url: string): Promise<Response> {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
  return response;
}
