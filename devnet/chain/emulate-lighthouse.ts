import bs58 from 'bs58';
import { PublicKey } from '@solana/web3.js';
import { LIGHTHOUSE, SYSTEM } from './addresses';
import { invokeCreateAccount, invokeTransfer } from './bubblegum/invoke';
import { EmuError, type EmuCtx, type Emulator } from './emulator';

/** Tags of Lighthouse's instructions (npm lighthouse-sdk 2.1.0, `*_DISCRIMINATOR`). */
const MEMORY_WRITE = 0;
const MEMORY_CLOSE = 1;
const ASSERT_ACCOUNT_INFO = 5;

/** Variants of the arguments that are emulated, by their index in the SDK's encoders. */
const WRITE_DATA_VALUE = 2;
const DATA_VALUE_U8 = 1;
const ASSERT_LAMPORTS = 0;

/**
 * Most bytes that an account may grow by in one call of a program (Solana,
 * MAX_PERMITTED_DATA_INCREASE).
 */
const LARGEST_GROWTH_BYTES = 10_240;
/** Lighthouse's error AssertionFailed. */
const ASSERTION_FAILED = 6001;
const COMPUTE_UNITS = 4_000;

/**
 * The parts of Lighthouse, the program of wallets' guards, that can cost lamports. A memory account
 * is opened at its named payer's expense, and closed again. Of the assertions only the one about an
 * account's lamports is here (Jac0xb/lighthouse, programs/lighthouse/src).
 */
export const lighthouseEmulator: Emulator = {
  programId: LIGHTHOUSE,
  run(ctx) {
    const [tag] = ctx.data;
    if (tag === MEMORY_WRITE) writeMemory(ctx);
    else if (tag === MEMORY_CLOSE) closeMemory(ctx);
    else if (tag === ASSERT_ACCOUNT_INFO) assertLamports(ctx);
    else refuseNotEmulated();
    return { computeUnits: COMPUTE_UNITS };
  },
};

/** Accounts: Lighthouse, system program, payer, memory, source. The payer pays the rent of the memory. */
function writeMemory(ctx: EmuCtx): void {
  const [id = 0, bump = 0] = ctx.data.subarray(1);
  const { value: offset, end } = compactU64(ctx.data, 3);
  const [write, kind, byte = 0] = ctx.data.subarray(end);
  if (write !== WRITE_DATA_VALUE || kind !== DATA_VALUE_U8) refuseNotEmulated();
  const payer = payerAt(ctx, 2);
  const memory = memoryAt(ctx, 3, { payer, id, bump });
  const bytes = offset + 1;
  grow(ctx, { payer, memory, bytes });
  const account = ctx.chain.get(memory);
  if (!account) throw new EmuError('UninitializedAccount');
  const data = new Uint8Array(Math.max(bytes, account.data.length));
  data.set(account.data);
  data[offset] = byte;
  ctx.chain.set(memory, { ...account, owner: LIGHTHOUSE, data });
}

/** Accounts: Lighthouse, payer, memory. The payer gets the rent back. */
function closeMemory(ctx: EmuCtx): void {
  const [id = 0, bump = 0] = ctx.data.subarray(1);
  const payer = payerAt(ctx, 1);
  const memory = memoryAt(ctx, 2, { payer, id, bump });
  const account = ctx.chain.get(memory);
  const receiver = ctx.chain.get(payer);
  if (account?.owner !== LIGHTHOUSE || !receiver) throw new EmuError('InvalidAccountOwner');
  ctx.chain.set(memory, null);
  ctx.chain.set(payer, { ...receiver, lamports: receiver.lamports + account.lamports });
}

/**
 * Fails the transaction unless the lamports of the account match the assertion: value (u64),
 * operator.
 */
function assertLamports(ctx: EmuCtx): void {
  const view = Buffer.from(ctx.data);
  if (view[2] !== ASSERT_LAMPORTS || view.length !== 12) refuseNotEmulated();
  const wanted = view.readBigUInt64LE(3);
  const found = ctx.chain.get(keyAt(ctx, 0))?.lamports ?? 0n;
  const holds = [
    found === wanted,
    found !== wanted,
    found > wanted,
    found < wanted,
    found >= wanted,
    found <= wanted,
  ][view[11] ?? 0];
  if (holds !== true) throw new EmuError({ Custom: ASSERTION_FAILED });
}

function grow(ctx: EmuCtx, o: { payer: string; memory: string; bytes: number }): void {
  const { payer, memory, bytes } = o;
  const account = ctx.chain.get(memory);
  const before = account?.data.length ?? 0;
  if (bytes <= before) return;
  if (bytes - before > LARGEST_GROWTH_BYTES) throw new EmuError('InvalidRealloc');
  if (!account) {
    invokeCreateAccount(ctx, { from: payer, address: memory, bytes, owner: LIGHTHOUSE });
    return;
  }
  const missing = ctx.chain.rent(bytes) - account.lamports;
  if (missing > 0n) invokeTransfer(ctx, payer, memory, missing);
}

function payerAt(ctx: EmuCtx, place: number): string {
  const index = ctx.accounts[place] ?? -1;
  if (!ctx.isSigner(index) || !ctx.isWritable(index))
    throw new EmuError('MissingRequiredSignature');
  return keyAt(ctx, place);
}

/** The memory's address is derived from its payer, so one payer cannot write into another's. */
function memoryAt(
  ctx: EmuCtx,
  place: number,
  o: { payer: string; id: number; bump: number },
): string {
  const seeds = [Buffer.from('memory'), bs58.decode(o.payer), Uint8Array.of(o.id, o.bump)];
  const address = PublicKey.createProgramAddressSync(seeds, new PublicKey(LIGHTHOUSE)).toBase58();
  if (keyAt(ctx, place) !== address) throw new EmuError('InvalidSeeds');
  return address;
}

function keyAt(ctx: EmuCtx, place: number): string {
  return ctx.keys[ctx.accounts[place] ?? -1] ?? SYSTEM;
}

/** Seven bits a byte, lowest first. */
function compactU64(data: Uint8Array, at: number): { value: number; end: number } {
  let value = 0;
  for (let end = at, shift = 0; end < data.length && shift < 28; end += 1, shift += 7) {
    const byte = data[end] ?? 0;
    value |= (byte & 0x7f) << shift;
    if ((byte & 0x80) === 0) return { value, end: end + 1 };
  }
  throw new EmuError('InvalidInstructionData');
}

function refuseNotEmulated(): never {
  throw new EmuError('InvalidInstructionData', [
    'Program log: Error: the embedded chain does not emulate this Lighthouse instruction',
  ]);
}
