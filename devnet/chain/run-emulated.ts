import type { VersionedMessage } from '@solana/web3.js';
import {
  EmuError,
  type Acct,
  type EmuCtx,
  type Emulator,
  type InnerIx,
  type JsonError,
  type Meta,
} from './emulator';
import { stateOf, type Machine } from './machine';
import type { ResolvedMessage } from './message';
import { describeCause } from './transaction-errors';

type Result = {
  err: JsonError | null;
  logs: string[];
  inner: Meta['innerInstructions'];
  computeUnits: number;
  returnData: Meta['returnData'];
};

/** The default compute units of a program for each instruction. Only printed in logs. */
const DEFAULT_COMPUTE_UNITS = 200_000;

/**
 * Runs the emulated instructions of a transaction after the virtual machine has run the others.
 * Merges logs, inner instructions and return data of both in the order of the instructions. The
 * caller undoes all writes when the result has an error that the machine did not have.
 */
export function runEmulated(o: {
  machine: Machine;
  message: VersionedMessage;
  resolved: ResolvedMessage;
  emulated: (Emulator | undefined)[];
  before: (Acct | null)[];
  svmResult: Result;
}): Result {
  const { svmResult, emulated } = o;
  const svmLogs = logsByInstruction(svmResult.logs);
  const failedAt = failedInstruction(svmResult.err);
  const result: Result = { ...svmResult, logs: [], inner: [...svmResult.inner], returnData: null };

  for (const [index, emulator] of emulated.entries()) {
    if (!emulator) {
      if (index === emulated.length - 1) result.returnData = svmResult.returnData;
      result.logs.push(...(svmLogs.shift() ?? []));
      continue;
    }
    if (svmResult.err !== null) {
      if (failedAt === null || failedAt < index) break;
      continue;
    }
    const step = runOne({ ...o, emulator, index });
    result.logs.push(...step.logs);
    if (step.inner.length) result.inner.push({ index, instructions: step.inner });
    result.computeUnits += step.computeUnits;
    result.returnData = step.returnData ?? result.returnData;
    if (step.err !== null) {
      result.err = { InstructionError: [index, step.err] };
      result.returnData = null;
      break;
    }
  }
  const rent = result.err === null ? rentError(o) : null;
  if (rent !== null) {
    result.err = rent;
    result.returnData = null;
  }
  result.inner.sort((a, b) => a.index - b.index);
  return result;
}

type Step = {
  err: JsonError | null;
  logs: string[];
  inner: InnerIx[];
  computeUnits: number;
  returnData: Meta['returnData'];
};

function runOne(o: {
  machine: Machine;
  message: VersionedMessage;
  resolved: ResolvedMessage;
  emulator: Emulator;
  index: number;
}): Step {
  const { emulator, resolved, message } = o;
  const ix = message.compiledInstructions[o.index];
  const name = emulator.programId;
  const step: Step = {
    err: null,
    logs: [`Program ${name} invoke [1]`],
    inner: [],
    computeUnits: 0,
    returnData: null,
  };
  const ctx: EmuCtx = {
    chain: stateOf(o.machine),
    keys: resolved.keys,
    accounts: [...(ix?.accountKeyIndexes ?? [])],
    data: ix?.data ?? new Uint8Array(),
    isSigner: (i) => i < message.header.numRequiredSignatures,
    isWritable: (i) => resolved.writable[i] === true,
    keyIndex: (address) => {
      const i = resolved.keys.indexOf(address);
      if (i < 0) throw new EmuError('MissingAccount');
      return i;
    },
    log: (line) => step.logs.push(line),
    inner: step.inner,
    setReturn: (programId, data) => {
      const text = Buffer.from(data).toString('base64');
      step.returnData = { programId, data: [text, 'base64'] };
      step.logs.push(`Program return: ${programId} ${text}`);
    },
  };
  try {
    step.computeUnits = emulator.run(ctx).computeUnits;
  } catch (error) {
    if (!(error instanceof EmuError)) throw error;
    step.err = error.ixErr;
    step.logs.push(...error.logs, `Program ${name} failed: ${describeCause(error.ixErr)}`);
    return step;
  }
  step.logs.push(
    `Program ${name} consumed ${step.computeUnits} of ${DEFAULT_COMPUTE_UNITS} compute units`,
    `Program ${name} success`,
  );
  return step;
}

/** The machine checked rent before the emulated part ran, so that part is checked here. */
function rentError(o: {
  machine: Machine;
  resolved: ResolvedMessage;
  before: (Acct | null)[];
}): JsonError | null {
  const { accounts, svm } = o.machine;
  const bad = o.resolved.keys.findIndex((key, i) => {
    if (!o.resolved.writable[i]) return false;
    const account = accounts.read(key);
    if (!account || account.lamports >= svm.rent(account.data.length)) return false;
    return account.lamports !== (o.before[i]?.lamports ?? 0n);
  });
  return bad < 0 ? null : { InsufficientFundsForRent: { account_index: bad } };
}

function logsByInstruction(logs: string[]): string[][] {
  const groups: string[][] = [];
  for (const line of logs) {
    const last = groups.at(-1);
    if (!last || /^Program \w+ invoke \[1\]$/.test(line)) groups.push([line]);
    else last.push(line);
  }
  return groups;
}

function failedInstruction(err: JsonError | null): number | null {
  if (err === null || typeof err === 'string' || !Array.isArray(err.InstructionError)) return null;
  return err.InstructionError[0] as number;
}
