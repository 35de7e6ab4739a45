import { Version } from '@metaplex-foundation/mpl-bubblegum';
import type { EmuCtx } from '@/devnet/chain/emulator';
import { refuse, refuseNotEmulated } from './errors';
import { nameAccounts } from './instruction';
import { loadTreeConfig } from './tree-config';

const ACCOUNTS = ['config', 'leafOwner', 'leafDelegate', 'tree', 'payer', 'treeAuthority'] as const;

/** mint_v1 on a V2 tree fails like on the real chain. V1 trees cannot be made here. */
export function refuseV1Mint(ctx: EmuCtx): never {
  const accounts = nameAccounts(ctx, ACCOUNTS);
  const treeConfig = loadTreeConfig(ctx, accounts.address.config, accounts.address.tree);
  accounts.requireSigner('payer');
  accounts.requireSigner('treeAuthority');
  if (treeConfig.version !== Version.V1) refuse('UnsupportedSchemaVersion');
  return refuseNotEmulated('Bubblegum V1');
}
