import { createHash } from 'node:crypto';
import type { MintEvidence, ReceiptEvidence } from '@quittance/verify/receipts/check-evidence';
import { placeOfMint } from '@quittance/verify/receipts/evidence-of-proof';
import { issuerDocument, type IssuerDocument } from '@quittance/verify/receipts/issuer-document';
import { lookUpMint, type Places, readPayment } from '@quittance/verify/receipts/look-up-proof';
import type { ItemParts } from '@quittance/verify/storage/verify-item';
import { z } from 'zod';
import { readAsset } from '@/server/chain/read-asset';
import { createRpc } from '@/server/chain/rpc';

/** From whom to take the evidence: the issuer, any node with DAS, any gateway. */
export type EvidencePlaces = { baseUrl: string; rpcUrl: string; gatewayUrl: string };
/** The nodes and the gateway that the service itself asks. */
export type OwnPlaces = Places & { gatewayUrl: string };

const TIMEOUT_MS = 15_000;

const itemAnswer = z.object({
  address: z.string(),
  signature: z.string(),
  tags: z.array(z.object({ name: z.string(), value: z.string() })),
});
/** The part of the answer of a receipt or statement that names where its parts are. */
export const mintedAnswer = z.object({
  metadata_uri: z.url(),
  image_uri: z.url(),
  mint_signature: z.string(),
  tree: z.string(),
});

/** Names the things that have an NFT, in the form of their storage items. */
type Named = { kind: 'receipt' | 'statement'; id: string };

/** The issuer's document, with its keys, trees and collections: the start of a check. */
export function fetchIssuer(baseUrl: string): Promise<IssuerDocument> {
  return fetchJson(`${baseUrl}/.well-known/quittance.json`, issuerDocument);
}

/**
 * Fetches what is checked of an NFT: its files from the gateway, its transaction, its leaf and its tree
 * from the chain. Throws when something cannot be fetched.
 */
export async function gatherMint(
  o: Named &
    OwnPlaces & {
      issuer: IssuerDocument;
      told: z.infer<typeof mintedAnswer>;
      assetId: string;
    },
): Promise<MintEvidence> {
  const { told, issuer } = o;
  const { mint_signature, tree } = told;
  const document = { mint_signature, tree, asset_id: o.assetId, ...NOTHING_TOLD };
  const [metadata, image, seen] = await Promise.all([
    fetchItem(o, told.metadata_uri, 'metadata'),
    fetchItem(o, told.image_uri, 'image'),
    lookUpMint({ ...o, document }),
  ]);
  return { issuer, metadata, image, ...placeOfMint({ document, seen }) };
}

/** The issuer is not asked for the current position of a leaf. */
export const NOTHING_TOLD = { holder: null, root: null, proof: null };

/**
 * Changes of a tree that a request reads at most, where no index of assets answers: each is a call to a node. The
 * verifier reads more.
 */
const MOST_CHANGES = 300;

/** The service's own nodes, in the form that a check uses. */
export function ownPlaces(o: {
  network: Places['network'];
  rpc: Places['rpc'];
  rpcUrls: readonly string[];
}): Places {
  return {
    network: o.network,
    rpc: o.rpc,
    readAsset: (assetId) => readAsset({ urls: o.rpcUrls, assetId }),
    mostChanges: MOST_CHANGES,
  };
}

/** One node, in the form that a check uses. */
export function placesOf(o: { rpcUrl: string; network: Places['network'] }): Places {
  const urls = [o.rpcUrl];
  const rpc = createRpc({ urls, timeoutMs: TIMEOUT_MS });
  return ownPlaces({ network: o.network, rpc, rpcUrls: urls });
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

const receiptAnswer = mintedAnswer.extend({ tx_signature: z.string(), asset_id: z.string() });

/**
 * Fetches all that {@link checkReceipt} reads, over HTTP alone, as anyone outside can. The issuer's
 * answer is used only for addresses. The data there is checked against the chain and the
 * signatures. Throws when something cannot be fetched or the receipt has no NFT yet.
 */
export async function gatherEvidence(
  o: { receiptId: string } & EvidencePlaces,
): Promise<ReceiptEvidence> {
  const [issuer, receipt] = await Promise.all([
    fetchIssuer(o.baseUrl),
    fetchJson(`${o.baseUrl}/receipt/${o.receiptId}`, receiptAnswer),
  ]);
  const places = placesOf({ ...o, network: issuer.network });
  return collectEvidence({ ...o, ...places, issuer, receipt });
}

/** The evidence that lies outside of the issuer: chain, index of assets and gateway. */
export async function collectEvidence(
  o: {
    receiptId: string;
    issuer: IssuerDocument;
    receipt: z.output<typeof receiptAnswer>;
  } & OwnPlaces,
): Promise<ReceiptEvidence> {
  const { receiptId: id, receipt } = o;
  const [minted, payment] = await Promise.all([
    gatherMint({ ...o, kind: 'receipt', id, told: receipt, assetId: receipt.asset_id }),
    readPayment({ ...o, signature: receipt.tx_signature }),
  ]);
  return { receiptId: id, ...minted, payment };
}
