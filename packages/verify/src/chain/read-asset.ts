import { z } from 'zod';

/** A compressed NFT as an index of assets has it now. Addresses and hashes are base58. */
export type AssetNow = {
  id: string;
  owner: string;
  delegate: string | null;
  /** Left out by an index that does not know. */
  burnt?: boolean | undefined;
  /** Siblings from leaf to root, and that root. */
  proof: { root: string; siblings: string[] };
};

const address = z.string().min(32).max(44);
const asset = z.object({
  id: address,
  ownership: z.object({ owner: address, delegate: address.nullish() }),
  burnt: z.boolean().nullish(),
});
const proof = z.object({ root: address, proof: z.array(address).max(30) });

/**
 * Asks nodes in turn for an asset and its proof by the methods of DAS (`getAsset`,
 * `getAssetProof`). They are not part of Solana's own JSON-RPC: many nodes lack them, and that says
 * nothing about their other answers. `ask` posts JSON and gives the parsed answer, undefined where
 * there is none. Null when no node gives a usable answer.
 */
export async function readAssetBy(
  ask: (url: string, body: unknown) => Promise<unknown>,
  o: { urls: readonly string[]; assetId: string },
): Promise<AssetNow | null> {
  for (const url of o.urls) {
    const question = async <T>(method: string, schema: z.ZodType<T>): Promise<T | null> => {
      const body = { jsonrpc: '2.0', id: 1, method, params: { id: o.assetId } };
      const answer = z.object({ result: schema }).safeParse(await ask(url, body));
      return answer.success ? answer.data.result : null;
    };
    const [seen, proven] = await Promise.all([
      question('getAsset', asset),
      question('getAssetProof', proof),
    ]);
    if (!seen || !proven) continue;
    return {
      id: seen.id,
      owner: seen.ownership.owner,
      delegate: seen.ownership.delegate ?? null,
      ...(seen.burnt && { burnt: true }),
      proof: { root: proven.root, siblings: proven.proof },
    };
  }
  return null;
}
