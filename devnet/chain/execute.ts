import { VersionedMessage, type VersionedTransaction } from '@solana/web3.js';
import type { Accounts } from './accounts';
import type { Acct, JsonError, Meta } from './emulator';
import type { Machine } from './machine';
import type { ResolvedMessage } from './message';
import { runEmulated } from './run-emulated';
import { tokenBalances } from './token-state';

/** The effects of a transaction, with the state of its accounts before and after. */
export type Execution = {
  meta: Meta;
  before: (Acct | null)[];
  after: (Acct | null)[];
  /** Restores every account to its state before the transaction. */
  undo: () => void;
};

/**
 * Runs a transaction whose signatures and blockhash were checked. The virtual machine runs the
 * programs that it has. Instructions of emulated programs are removed before, and run afterwards.
 */
export function executeTransaction(
  machine: Machine,
  transaction: VersionedTransaction,
  resolved: ResolvedMessage,
): Execution {
  const { svm, accounts, clock } = machine;
  const { keys, writable } = resolved;
  const message = transaction.message;
  svm.setClock(clock.slot(), clock.now(), clock.blockhash);

  const before = keys.map((key) => accounts.read(key));
  const undo = () => restoreAll(accounts, resolved, before);
  const emulated = message.compiledInstructions.map((ix) =>
    machine.emulators.get(keys[ix.programIdIndex] ?? ''),
  );
  const kept = emulated.flatMap((emulator, i) => (emulator ? [] : [i]));
  const original = (index: number) => kept[index] ?? index;

  const outcome = svm.run(
    withInstructions(message, kept),
    signatureMap(message, transaction.signatures),
  );
  keys.forEach((key, i) => writable[i] && accounts.refresh(key));

  let result = {
    err: mapIndex(outcome.err, original),
    logs: outcome.logs,
    inner: outcome.inner.flatMap((instructions, i) =>
      instructions.length ? [{ index: original(i), instructions }] : [],
    ),
    computeUnits: outcome.computeUnits,
    returnData: outcome.returnData,
  };
  if (kept.length < emulated.length) {
    const failed = result.err !== null;
    result = runEmulated({ machine, message, resolved, emulated, before, svmResult: result });
    // When its own part failed, the machine already undid everything but the fee.
    if (result.err !== null && !failed) {
      undo();
      chargeFee(accounts, resolved, before, outcome.fee);
    }
  }

  const after = keys.map((key, i) => (writable[i] ? accounts.read(key) : (before[i] ?? null)));
  return {
    before,
    after,
    undo,
    meta: {
      err: result.err,
      fee: outcome.fee,
      preBalances: lamportsOf(before),
      postBalances: lamportsOf(after),
      preTokenBalances: tokenBalances(keys, before, accounts.read),
      postTokenBalances: tokenBalances(keys, after, accounts.read),
      innerInstructions: result.inner,
      logMessages: result.logs,
      computeUnitsConsumed: result.computeUnits,
      returnData: result.returnData,
      loadedAddresses: resolved.loaded,
    },
  };
}

function restoreAll(accounts: Accounts, resolved: ResolvedMessage, before: (Acct | null)[]): void {
  resolved.keys.forEach((key, i) => {
    if (resolved.writable[i]) accounts.restore(key, before[i] ?? null);
  });
}

function chargeFee(
  accounts: Accounts,
  resolved: ResolvedMessage,
  before: (Acct | null)[],
  fee: number,
): void {
  const [address] = resolved.keys;
  const [payer] = before;
  if (!address || !payer) return;
  accounts.write(address, { ...payer, lamports: payer.lamports - BigInt(fee) });
}

/**
 * The message with only some of its instructions. Signatures no longer match it, and are not
 * checked again.
 */
function withInstructions(message: VersionedMessage, kept: number[]): Uint8Array {
  const bytes = message.serialize();
  if (kept.length === message.compiledInstructions.length) return bytes;
  const copy = VersionedMessage.deserialize(bytes);
  if (copy.version === 'legacy')
    copy.instructions = copy.instructions.filter((_, i) => kept.includes(i));
  else copy.compiledInstructions = copy.compiledInstructions.filter((_, i) => kept.includes(i));
  return copy.serialize();
}

function signatureMap(
  message: VersionedMessage,
  signatures: Uint8Array[],
): Record<string, Uint8Array> {
  const signers = message.staticAccountKeys.slice(0, message.header.numRequiredSignatures);
  return Object.fromEntries(
    signers.map((key, i) => [key.toBase58(), signatures[i] ?? new Uint8Array(64)]),
  );
}

function mapIndex(err: JsonError | null, original: (index: number) => number): JsonError | null {
  if (err === null || typeof err === 'string' || !Array.isArray(err.InstructionError)) return err;
  const [index, cause] = err.InstructionError as [number, JsonError];
  return { InstructionError: [original(index), cause] };
}

function lamportsOf(accounts: (Acct | null)[]): number[] {
  return accounts.map((account) => Number(account?.lamports ?? 0n));
}
