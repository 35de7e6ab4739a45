import {
  getTreeConfigAccountDataSerializer,
  type TreeConfigAccountData,
  type TreeConfigAccountDataArgs,
} from '@metaplex-foundation/mpl-bubblegum';
import type { EmuCtx } from '@/devnet/chain/emulator';
import { refuse } from './errors';
import { BUBBLEGUM, treeConfigAddress } from './program-ids';

/** Length of the account. The fields fill its first 91 bytes. */
export const TREE_CONFIG_BYTES = 96;

const serializer = getTreeConfigAccountDataSerializer();

/** Reads a tree's settings. Fails the instruction when the account is missing or another tree's. */
export function loadTreeConfig(ctx: EmuCtx, address: string, tree: string): TreeConfigAccountData {
  const account = ctx.chain.get(address);
  if (account?.owner !== BUBBLEGUM) return refuse('AccountNotInitialized');
  if (treeConfigAddress(tree) !== address) refuse('ConstraintSeeds');
  return serializer.deserialize(account.data)[0];
}

/** Writes a tree's settings and keeps the account's lamports. */
export function saveTreeConfig(
  ctx: EmuCtx,
  address: string,
  config: TreeConfigAccountDataArgs,
): void {
  const data = new Uint8Array(TREE_CONFIG_BYTES);
  data.set(serializer.serialize(config));
  const lamports = ctx.chain.get(address)?.lamports ?? 0n;
  ctx.chain.set(address, { lamports, owner: BUBBLEGUM, executable: false, data });
}
