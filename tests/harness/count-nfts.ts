import { z } from 'zod';
import { callRpc } from '@/devnet/client/call-rpc';

const owned = z.object({ items: z.array(z.object({ id: z.string(), burnt: z.boolean() })) });

/** NFTs of a wallet by the chain's own index, read from the leaves of its transactions. */
export async function countNfts(rpcUrl: string, ownerAddress: string): Promise<number> {
  const params = { ownerAddress, page: 1, limit: 100 };
  const { items } = owned.parse(await callRpc(rpcUrl, 'getAssetsByOwner', params));
  return items.filter(({ burnt }) => !burnt).length;
}
