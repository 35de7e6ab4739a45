import { MEMO_PROGRAMS } from './addresses';
import { EmuError, type EmuCtx, type Emulator } from './emulator';

/** Compute units of a memo without signers, and for each signer (solana-program/memo, p-memo/README.md). */
const UNITS = 406;
const UNITS_PER_SIGNER = 117;

/**
 * Memo v4 (p-memo): every account must have signed, the data must be UTF-8, and the log has both.
 * The virtual machine includes v1 and v3, but no package has the binary of v4 (solana-program/memo,
 * p-memo/src/entrypoint.rs).
 */
export const memoV4Emulator: Emulator = {
  programId: MEMO_PROGRAMS.v4,
  run(ctx) {
    const signers = new Set(ctx.accounts);
    logSigners(ctx, signers);
    const text = textOf(ctx);
    ctx.log(`Program log: Memo (len ${ctx.data.length}): "${text}"`);
    return { computeUnits: UNITS + UNITS_PER_SIGNER * signers.size };
  },
};

function logSigners(ctx: EmuCtx, accounts: ReadonlySet<number>): void {
  if (accounts.size === 0) return;
  ctx.log('Program log: Signed by:');
  for (const index of accounts)
    if (ctx.isSigner(index)) ctx.log(`Program log: ${ctx.keys[index] ?? ''}`);
  if ([...accounts].some((index) => !ctx.isSigner(index)))
    throw new EmuError('MissingRequiredSignature');
}

function textOf({ data }: EmuCtx): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(data);
  } catch {
    throw new EmuError('InvalidInstructionData', ['Program log: Invalid UTF-8']);
  }
}
