import type { EmuCtx, Emulator } from '@/devnet/chain/emulator';
import { burnLeaf, transferLeaf } from './change-leaf';
import { collectionEmulator } from './create-collection';
import { createTree } from './create-tree';
import { refuseNotEmulated } from './errors';
import { discriminator, discriminatorOf } from './instruction';
import { mint } from './mint';
import {
  ACCOUNT_COMPRESSION,
  ACCOUNT_COMPRESSION_V1,
  BUBBLEGUM,
  MPL_CORE,
  NOOP,
  NOOP_V1,
} from './program-ids';
import { refuseV1Mint } from './refuse-v1-mint';
import { setTreeDelegate } from './set-tree-delegate';

/** Programs that clients look up, or that instructions name, and that never run here. */
const VIRTUAL_PROGRAMS = [
  BUBBLEGUM,
  ACCOUNT_COMPRESSION,
  NOOP,
  MPL_CORE,
  ACCOUNT_COMPRESSION_V1,
  NOOP_V1,
];

type Handler = { name: string; run: (ctx: EmuCtx) => { computeUnits: number } };

const HANDLERS = new Map<string, Handler>([
  [discriminator('create_tree_v2'), { name: 'CreateTreeV2', run: createTree }],
  [discriminator('mint_v2'), { name: 'MintV2', run: mint }],
  [discriminator('transfer_v2'), { name: 'TransferV2', run: transferLeaf }],
  [discriminator('burn_v2'), { name: 'BurnV2', run: burnLeaf }],
  [discriminator('set_tree_delegate'), { name: 'SetTreeDelegate', run: setTreeDelegate }],
  [discriminator('mint_v1'), { name: 'MintV1', run: refuseV1Mint }],
]);

/** Bubblegum V2 with the compression and noop programs it calls, for a receipt service's needs. */
const bubblegumEmulator: Emulator = {
  programId: BUBBLEGUM,
  run(ctx) {
    const handler = HANDLERS.get(discriminatorOf(ctx.data));
    if (!handler) return refuseNotEmulated('this Bubblegum instruction');
    ctx.log(`Program log: Instruction: ${handler.name}`);
    return handler.run(ctx);
  },
};

/** The parts of the chain that registering needs. */
export type ProgramHost = {
  emulators: Map<string, Emulator>;
  virtualPrograms: Set<string>;
};

/**
 * Makes the chain run Bubblegum V2 (create_tree_v2, mint_v2, transfer_v2, burn_v2 and
 * set_tree_delegate) and MPL Core's create_collection_v2. Other instructions fail with 101.
 */
export function registerBubblegum(chain: ProgramHost): void {
  for (const id of VIRTUAL_PROGRAMS) chain.virtualPrograms.add(id);
  for (const emulator of [bubblegumEmulator, collectionEmulator])
    chain.emulators.set(emulator.programId, emulator);
}
