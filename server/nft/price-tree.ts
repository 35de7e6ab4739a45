import type { Rpc } from '@/server/chain/rpc';
import type { TreePlan } from './plan-tree';

/** Size of a tree's configuration account. */
const CONFIG_BYTES = 96;
/** Two signatures: the minter's and the new account's. */
const FEE_LAMPORTS = 10_000n;

/** What making a tree takes from the minter: rent of its two accounts, and the network fee. */
export async function priceTree(
  rpc: Pick<Rpc, 'getMinimumBalanceForRentExemption'>,
  plan: TreePlan,
): Promise<{ rentLamports: bigint; totalLamports: bigint }> {
  const rentLamports = await rpc.getMinimumBalanceForRentExemption(plan.bytes);
  const configLamports = await rpc.getMinimumBalanceForRentExemption(CONFIG_BYTES);
  return { rentLamports, totalLamports: rentLamports + configLamports + FEE_LAMPORTS };
}
