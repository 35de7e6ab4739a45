import { publicKey } from '@metaplex-foundation/umi';
import type { EmuCtx } from '@/devnet/chain/emulator';
import { refuse } from './errors';
import { nameAccounts } from './instruction';
import { loadTreeConfig, saveTreeConfig } from './tree-config';

const ACCOUNTS = ['config', 'creator', 'newDelegate', 'tree'] as const;
const COMPUTE_UNITS = 10_000;

/** set_tree_delegate: the tree's creator names another account that may mint. */
export function setTreeDelegate(ctx: EmuCtx): { computeUnits: number } {
  const accounts = nameAccounts(ctx, ACCOUNTS);
  const { config, creator, newDelegate, tree } = accounts.address;
  const treeConfig = loadTreeConfig(ctx, config, tree);
  accounts.requireSigner('creator');
  if (treeConfig.treeCreator !== creator) refuse('ConstraintHasOne');
  saveTreeConfig(ctx, config, { ...treeConfig, treeDelegate: publicKey(newDelegate) });
  return { computeUnits: COMPUTE_UNITS };
}
