import bs58 from 'bs58';
import { EmuError, type EmuCtx } from '@/devnet/chain/emulator';
import { encodeChangeLogEvent } from './events';
import { discriminator } from './instruction';
import type { ChangeLog } from './merkle-tree';
import { ACCOUNT_COMPRESSION, NOOP, SYSTEM } from './program-ids';

/** Numbers of the system program's instructions. */
const SYSTEM_CREATE_ACCOUNT = 0;
const SYSTEM_TRANSFER = 2;
const SYSTEM_ALLOCATE = 8;

const COMPRESSION_METHODS = {
  InitEmptyMerkleTree: discriminator('init_empty_merkle_tree'),
  Append: discriminator('append'),
  ReplaceLeaf: discriminator('replace_leaf'),
} as const;

/** A call from Bubblegum into another program, as a transaction's inner instructions show it. */
export type InnerCall = {
  program: string;
  accounts: string[];
  data: Uint8Array;
  /** 2 for a call by Bubblegum, 3 for a call by a program that Bubblegum called. */
  stackHeight: number;
};

/** Notes an inner instruction. */
export function recordCall(ctx: EmuCtx, call: InnerCall): void {
  ctx.inner.push({
    programIdIndex: ctx.keyIndex(call.program),
    accounts: call.accounts.map(ctx.keyIndex),
    data: Uint8Array.from(call.data),
    stackHeight: call.stackHeight,
  });
}

/** Calls the noop program, which only keeps the data in the ledger for indexers. */
export function invokeNoop(ctx: EmuCtx, data: Uint8Array, stackHeight: number): void {
  recordCall(ctx, { program: NOOP, accounts: [], data, stackHeight });
  ctx.log(`Program ${NOOP} invoke [${stackHeight}]`);
  ctx.log(`Program ${NOOP} consumed 36 of 200000 compute units`);
  ctx.log(`Program ${NOOP} success`);
}

/** Shows the call into the compression program that made this change, and its noop event. */
export function invokeCompression(
  ctx: EmuCtx,
  call: {
    method: keyof typeof COMPRESSION_METHODS;
    tree: string;
    config: string;
    args: Uint8Array;
    change: ChangeLog;
    /** Accounts that represent the nodes of a proof. */
    proof?: readonly string[];
  },
): void {
  const data = Buffer.concat([Buffer.from(COMPRESSION_METHODS[call.method], 'hex'), call.args]);
  const accounts = [call.tree, call.config, NOOP, ...(call.proof ?? [])];
  recordCall(ctx, { program: ACCOUNT_COMPRESSION, accounts, data, stackHeight: 2 });
  ctx.log(`Program ${ACCOUNT_COMPRESSION} invoke [2]`);
  ctx.log(`Program log: Instruction: ${call.method}`);
  invokeNoop(ctx, encodeChangeLogEvent(call.tree, call.change), 3);
  ctx.log(`Program ${ACCOUNT_COMPRESSION} consumed 8000 of 200000 compute units`);
  ctx.log(`Program ${ACCOUNT_COMPRESSION} success`);
}

/** System transfer. Fails the instruction when the sender has too little. */
export function invokeTransfer(ctx: EmuCtx, from: string, to: string, lamports: bigint): void {
  const data = Buffer.concat([u32(SYSTEM_TRANSFER), u64(lamports)]);
  recordCall(ctx, { program: SYSTEM, accounts: [from, to], data, stackHeight: 2 });
  moveLamports(ctx, { from, to, lamports });
}

/**
 * System createAccount with its rent paid by `from`. The caller writes owner and data. An account
 * that exists fails the instruction, like the system program's allocate.
 */
export function invokeCreateAccount(
  ctx: EmuCtx,
  account: { from: string; address: string; bytes: number; owner: string },
): void {
  const { from, address } = account;
  const space = u64(BigInt(account.bytes));
  if (ctx.chain.get(address)) {
    const allocate = Buffer.concat([u32(SYSTEM_ALLOCATE), space]);
    recordCall(ctx, { program: SYSTEM, accounts: [address], data: allocate, stackHeight: 2 });
    ctx.log(`Program ${SYSTEM} invoke [2]`);
    ctx.log(`Allocate: account Address { address: ${address}, base: None } already in use`);
    throw new EmuError({ Custom: 0 }, [`Program ${SYSTEM} failed: custom program error: 0x0`]);
  }
  const lamports = ctx.chain.rent(account.bytes);
  const owner = bs58.decode(account.owner);
  const data = Buffer.concat([u32(SYSTEM_CREATE_ACCOUNT), u64(lamports), space, owner]);
  recordCall(ctx, { program: SYSTEM, accounts: [from, address], data, stackHeight: 2 });
  moveLamports(ctx, { from, to: address, lamports });
}

function moveLamports(
  ctx: EmuCtx,
  { from, to, lamports }: { from: string; to: string; lamports: bigint },
): void {
  ctx.log(`Program ${SYSTEM} invoke [2]`);
  const payer = ctx.chain.get(from) ?? emptyAccount();
  if (payer.lamports < lamports) {
    ctx.log(`Transfer: insufficient lamports ${payer.lamports}, need ${lamports}`);
    throw new EmuError({ Custom: 1 }, [`Program ${SYSTEM} failed: custom program error: 0x1`]);
  }
  ctx.chain.set(from, { ...payer, lamports: payer.lamports - lamports });
  const receiver = ctx.chain.get(to) ?? emptyAccount();
  ctx.chain.set(to, { ...receiver, lamports: receiver.lamports + lamports });
  ctx.log(`Program ${SYSTEM} success`);
}

function emptyAccount() {
  return { lamports: 0n, owner: SYSTEM, data: new Uint8Array(), executable: false };
}

export function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

export function u64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
}
