import type { VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { openAccounts, type Accounts } from './accounts';
import type { Change } from './change';
import type { Acct, ChainState, Emulator, JsonError, Meta, TxRecord } from './emulator';
import { executeTransaction, type Execution } from './execute';
import { openHistory, type History } from './history';
import { machineAt, stateOf } from './machine';
import { decodeWire, resolveMessage, signaturesAreGood, type ResolvedMessage } from './message';
import { invalidParams, RpcError } from './rpc-error';
import { BLOCKHASH_LIFE, startSlotClock, type SlotClock } from './slot-clock';
import { openSvm, type Svm } from './svm';
import { preflightError } from './transaction-errors';

/** States of accounts are kept for this many slots beyond finality, for nodes that lag. */
const KEPT_SLOTS = 300;

/** The place where every event is recorded before a client can see it. */
export type Sink = {
  changed(changes: Change[]): void;
  transacted(record: TxRecord, changes: Change[]): void;
  vanished(o: { gone: string[]; rerun: TxRecord[]; changes: Change[] }): void;
};

export type ChainOptions = {
  slotMs?: number;
  /** Slots from landing to finality. 0 makes everything final at once. */
  finalityLag?: number;
  clock?: SlotClock;
  /** Off only to replay transactions that were signed long ago. */
  checkBlockhash?: boolean;
};

export type Simulation = {
  err: JsonError | null;
  meta: Meta | null;
  keys: string[];
  posts: Map<string, Acct | null>;
};

/** The ledger of the embedded chain, in memory. Its {@link Sink} saves it. */
export class Chain implements ChainState {
  readonly svm: Svm = openSvm();
  readonly accounts: Accounts = openAccounts(this.svm);
  readonly history: History = openHistory();
  readonly emulators = new Map<string, Emulator>();
  readonly virtualPrograms = this.accounts.virtualPrograms;
  /** Called with every transaction, including those loaded at the start, in order. */
  readonly onTx: ((record: TxRecord) => void)[] = [];
  /** Called after transactions disappeared. Remaining records may have changed. */
  readonly onVanish: ((gone: string[]) => void)[] = [];
  readonly clock: SlotClock;
  readonly finalityLag: number;
  sink: Sink | null = null;
  private heldFinal: number | null = null;
  private readonly checkBlockhash: boolean;
  private readonly changes = new Map<string, Change[]>();

  constructor(o: ChainOptions = {}) {
    this.clock = o.clock ?? startSlotClock({ slotMs: o.slotMs });
    this.finalityLag = o.finalityLag ?? 0;
    this.checkBlockhash = o.checkBlockhash ?? true;
  }

  get txs(): ReadonlyMap<string, TxRecord> {
    return this.history.records;
  }
  get bySlotOrder(): readonly TxRecord[] {
    return this.history.inOrder;
  }

  slot(): number {
    return this.clock.slot();
  }
  /** The slot up to which nothing can be undone. */
  finalSlot(): number {
    const slot = this.slot() - this.finalityLag;
    return Math.min(slot, this.heldFinal ?? slot);
  }
  /** Stops finality until released, like on a cluster that has split. */
  holdFinality(isHeld: boolean): void {
    this.heldFinal = isHeld ? this.finalSlot() : null;
  }
  now(): number {
    return this.clock.now();
  }
  rent(bytes: number): bigint {
    return this.svm.rent(bytes);
  }
  advanceSlots(count: number): void {
    this.clock.advanceSlots(count);
  }
  setTime(unix: number): void {
    this.clock.setTime(unix);
  }

  get(address: string): Acct | null {
    return stateOf(this).get(address);
  }
  /** Writes an account outside of any transaction. */
  set(address: string, account: Acct | null): void {
    const change = { address, before: this.accounts.read(address), after: account };
    this.sink?.changed([change]);
    this.accounts.write(address, account);
  }
  /** An account at the end of a slot. Exact as long as changes are kept. */
  accountAt(address: string, slot: number): Acct | null {
    let account = this.accounts.read(address);
    for (const record of this.history.newerThan(slot)) {
      const change = this.changes.get(record.signature)?.find((c) => c.address === address);
      if (change) account = change.before;
    }
    return account;
  }
  changesOf(signature: string): Change[] | null {
    return this.changes.get(signature) ?? null;
  }

  latestBlockhash(slot = this.slot()): { blockhash: string; lastValidBlockHeight: number } {
    return {
      blockhash: this.clock.blockhash(slot),
      lastValidBlockHeight: this.clock.heightOf(slot) + BLOCKHASH_LIFE,
    };
  }
  /** Whether a node at a given slot accepts transactions with this blockhash. */
  isBlockhashValid(blockhash: string, atSlot = this.slot()): boolean {
    const slot = this.clock.slotOfBlockhash(blockhash);
    return slot !== null && slot <= atSlot && atSlot - slot <= BLOCKHASH_LIFE;
  }

  /**
   * Takes a transaction like a node does and returns its signature. Without preflight a transaction
   * that cannot land is dropped silently, like by a node that only forwards it. `preflightSlot` is
   * the slot of the bank that the node simulates on: a blockhash younger than it is unknown there.
   */
  send(wire: Uint8Array, o: { skipPreflight?: boolean; preflightSlot?: number } = {}): string {
    const transaction = decodeWire(wire);
    const signature = signatureOf(transaction);
    const silent = o.skipPreflight === true;
    if (!signaturesAreGood(transaction.message, transaction.signatures)) {
      if (silent) return signature;
      throw new RpcError(-32003, 'Transaction signature verification failure');
    }
    const refusal = this.admission(transaction, silent ? undefined : o.preflightSlot);
    if (refusal) {
      if (silent) return signature;
      throw preflightError(refusal, [], 0);
    }
    const resolved = this.resolve(transaction, silent);
    if (!resolved) return signature;
    const block = { slot: this.slot(), blockTime: this.now() };
    const execution = executeTransaction(machineAt(this, block), transaction, resolved);
    const { meta } = execution;
    if (meta.err !== null && !silent) {
      execution.undo();
      throw preflightError(meta.err, meta.logMessages, meta.computeUnitsConsumed);
    }
    if (!lands(meta)) return signature;
    const record = { ...recordOf(wire, transaction, resolved, meta), ...block };
    const changes = changesOf(resolved, execution);
    this.sink?.transacted(record, changes);
    this.add(record, changes);
    return signature;
  }

  simulate(
    wire: Uint8Array,
    o: { sigVerify?: boolean; replaceRecentBlockhash?: boolean; atSlot?: number } = {},
  ): Simulation {
    const transaction = decodeWire(wire);
    if (o.sigVerify && !signaturesAreGood(transaction.message, transaction.signatures))
      throw new RpcError(-32003, 'Transaction signature verification failure');
    const refusal = o.replaceRecentBlockhash ? null : this.admission(transaction, o.atSlot);
    if (refusal) return { err: refusal, meta: null, keys: [], posts: new Map() };
    const resolved = resolveMessage(transaction.message, this.accounts.read);
    const execution = executeTransaction(this, transaction, resolved);
    execution.undo();
    const posts = new Map(resolved.keys.map((key, i) => [key, execution.after[i] ?? null]));
    return { err: execution.meta.err, meta: execution.meta, keys: resolved.keys, posts };
  }

  /** Adds an executed transaction to the history. Null changes: it can no longer be undone. */
  add(record: TxRecord, changes: Change[] | null): void {
    this.history.add(record);
    if (changes) this.changes.set(record.signature, changes);
    this.forgetChanges();
    for (const hear of this.onTx) hear(record);
  }
  replace(record: TxRecord, changes: Change[]): void {
    this.history.replace(record);
    this.changes.set(record.signature, changes);
  }
  remove(signature: string): void {
    this.history.remove(signature);
    this.changes.delete(signature);
  }

  /** The checks of the bank before it runs a transaction. */
  private admission(transaction: VersionedTransaction, atSlot?: number): JsonError | null {
    if (this.txs.has(signatureOf(transaction))) return 'AlreadyProcessed';
    const { recentBlockhash } = transaction.message;
    if (this.checkBlockhash && !this.isBlockhashValid(recentBlockhash, atSlot))
      return 'BlockhashNotFound';
    return null;
  }

  private resolve(transaction: VersionedTransaction, silent: boolean): ResolvedMessage | null {
    try {
      return resolveMessage(transaction.message, this.accounts.read);
    } catch (error) {
      if (silent && error instanceof RpcError) return null;
      throw error;
    }
  }

  private forgetChanges(): void {
    const oldest = this.slot() - this.finalityLag - KEPT_SLOTS;
    for (const signature of this.changes.keys()) {
      const record = this.txs.get(signature);
      if (record && record.slot >= oldest) break;
      this.changes.delete(signature);
    }
  }
}

/** A failed transaction lands when its payer can pay the fee. Otherwise no block takes it. */
export function lands(meta: Meta): boolean {
  return meta.err === null || meta.postBalances[0] !== meta.preBalances[0];
}

/** The record of a transaction, without its position. */
export function recordOf(
  wire: Uint8Array,
  transaction: VersionedTransaction,
  resolved: ResolvedMessage,
  meta: Meta,
): Omit<TxRecord, 'slot' | 'blockTime'> {
  const { message } = transaction;
  if (message.version !== 'legacy' && message.version !== 0)
    throw invalidParams('unsupported transaction version');
  return {
    signature: signatureOf(transaction),
    wire: new Uint8Array(wire),
    message,
    signatures: transaction.signatures.map((signature) => bs58.encode(signature)),
    version: message.version,
    keys: resolved.keys,
    writable: resolved.writable,
    nStatic: resolved.nStatic,
    meta,
  };
}

/** Accounts that a transaction really changed. */
export function changesOf(resolved: ResolvedMessage, execution: Execution): Change[] {
  return resolved.keys.flatMap((address, i) => {
    const before = execution.before[i] ?? null;
    const after = execution.after[i] ?? null;
    return resolved.writable[i] && before !== after ? [{ address, before, after }] : [];
  });
}

function signatureOf(transaction: VersionedTransaction): string {
  return bs58.encode(transaction.signatures[0] ?? new Uint8Array(64));
}
