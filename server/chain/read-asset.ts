import { z } from 'zod';
import { exchange, HttpTrouble } from '@/server/http';

/** A compressed NFT as an index of assets has it now. Addresses and hashes are base58. */
export type AssetNow = {
  id: string;
  owner: string;
  delegate: string | null;
  /** Siblings from leaf to root, and that root. */
  proof: { root: string; siblings: string[] };
};

const TIMEOUT_MS = 10_000;
/** An asset with its metadata's own JSON is some kilobytes; a proof of 30 levels is 2. */
const MOST_BYTES = 1024 * 1024;

const address = z.string().min(32).max(44);
const asset = z.object({
  id: address,
  ownership: z.object({ owner: address, delegate: address.nullish() }),
});
const proof = z.object({ root: address, proof: z.array(address).max(30) });

/**
 * Asks nodes in turn for an asset and its proof by the methods of DAS (`getAsset`, `getAssetProof`), which
 * are no part of Solana's own JSON-RPC: many nodes lack them, and that one does says nothing about the
 * rest of what it answers. Null when no node gives a usable answer.
 */
export async function readAsset(o: {
  urls: readonly string[];
  assetId: string;
}): Promise<AssetNow | null> {
  for (const url of o.urls) {
    const [seen, proven] = await Promise.all([
      askIndex(url, 'getAsset', o.assetId, asset),
      askIndex(url, 'getAssetProof', o.assetId, proof),
    ]);
    if (!seen || !proven) continue;
    return {
      id: seen.id,
      owner: seen.ownership.owner,
      delegate: seen.ownership.delegate ?? null,
      proof: { root: proven.root, siblings: proven.proof },
    };
  }
  return null;
}

async function askIndex<T>(
  url: string,
  method: string,
  id: string,
  schema: z.ZodType<T>,
): Promise<T | null> {
  try {
    const { body } = await exchange({
      url,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { id } }),
      timeoutMs: TIMEOUT_MS,
      mostBytes: MOST_BYTES,
    });
    const answer = z.object({ result: schema }).safeParse(JSON.parse(body.toString('utf8')));
    return answer.success ? answer.data.result : null;
  } catch (error) {
    if (error instanceof HttpTrouble || error instanceof SyntaxError) return null;
    throw error;
  }
}
