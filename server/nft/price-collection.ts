import type { Rpc } from '@/server/chain/rpc';

/** Collection and plugin BubblegumV2 with their header and registry, without the two texts. */
const BYTES_WITHOUT_TEXTS = 110;
/** Two signatures: the minter's and the new account's. */
const FEE_LAMPORTS = 10_000n;

/** What making a collection takes from the minter: rent of its account, and the network fee. */
export async function priceCollection(
  rpc: Pick<Rpc, 'getMinimumBalanceForRentExemption'>,
  { name, uri }: { name: string; uri: string },
): Promise<bigint> {
  const bytes = BYTES_WITHOUT_TEXTS + Buffer.byteLength(name) + Buffer.byteLength(uri);
  return (await rpc.getMinimumBalanceForRentExemption(bytes)) + FEE_LAMPORTS;
}
