import { z } from 'zod';

const owned = z.object({
  result: z.object({ items: z.array(z.object({ id: z.string(), burnt: z.boolean() })) }),
});

/** NFTs that a wallet holds by the chain's own index, read from the leaves of its transactions. */
export async function countNfts(rpcUrl: string, ownerAddress: string): Promise<number> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'getAssetsByOwner',
      params: { ownerAddress, page: 1, limit: 100 },
    }),
  });
  const { result } = owned.parse(await response.json());
  return result.items.filter(({ burnt }) => !burnt).length;
}
