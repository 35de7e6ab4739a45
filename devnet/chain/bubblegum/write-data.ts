import type { EmuCtx } from '@/devnet/chain/emulator';

/** Replaces the data of an account that exists. */
export function writeData(ctx: EmuCtx, address: string, data: Uint8Array): void {
  const account = ctx.chain.get(address);
  if (!account) throw new Error(`no account ${address} to write to`);
  ctx.chain.set(address, { ...account, data });
}
