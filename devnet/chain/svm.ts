import { FailedTransactionMetadata, LiteSVM, type TransactionMetadata } from 'litesvm';
import bs58 from 'bs58';
import { SYSTEM } from './addresses';
import type { Acct, InnerIx, JsonError, Meta } from './emulator';
import { errorJson } from './transaction-errors';

// LiteSVM includes a newer kit than ours, so its argument types are taken from its own methods.
type Address = Parameters<LiteSVM['getAccount']>[0];
type SvmAccount = Parameters<LiteSVM['setAccount']>[0];
type SvmTransaction = Parameters<LiteSVM['sendTransaction']>[0];

const SLOTS_PER_EPOCH = 432_000n;
/** As many as agave keeps (MAX_ENTRIES of its slot hashes). */
const SLOT_HASHES = 512;

/** The virtual machine's report on one transaction. `inner[i]` belongs to instruction i. */
export type SvmOutcome = {
  err: JsonError | null;
  fee: number;
  logs: string[];
  inner: InnerIx[][];
  computeUnits: number;
  returnData: Meta['returnData'];
};

export type Svm = ReturnType<typeof openSvm>;

/**
 * LiteSVM with its own checks of signatures, blockhashes and duplicates off. It knows only the
 * latest blockhash and forgets old signatures, so the chain around it does these checks.
 */
export function openSvm() {
  const lite = new LiteSVM()
    .withSigverify(false)
    .withBlockhashCheck(false)
    .withTransactionHistory(0n);
  let clockAt = '';
  /** Newest first, without a gap. */
  let slotHashes: { slot: bigint; hash: string }[] = [];

  return {
    read(address: string): Acct | null {
      const account = lite.getAccount(address as Address);
      if (!account.exists || account.lamports === 0n) return null;
      return {
        lamports: account.lamports,
        owner: account.programAddress,
        data: new Uint8Array(account.data),
        executable: account.executable,
      };
    },

    /**
     * Writes an account. Null removes it. LiteSVM refuses executable accounts that are not
     * programs.
     */
    write(address: string, account: Acct | null): void {
      const value = account ?? {
        lamports: 0n,
        owner: SYSTEM,
        data: new Uint8Array(),
        executable: false,
      };
      lite.setAccount({
        address: address as Address,
        lamports: value.lamports as SvmAccount['lamports'],
        programAddress: value.owner as Address,
        executable: value.executable,
        space: BigInt(value.data.length),
        data: value.data,
      });
    },

    ownedBy(program: string): string[] {
      return lite.getProgramAccounts(program as Address).map((account) => account.address);
    },

    rent(bytes: number): bigint {
      return lite.minimumBalanceForRentExemption(BigInt(bytes));
    },

    addProgram(programId: string, elf: Uint8Array): void {
      lite.addProgram(programId as Address, elf);
    },

    /**
     * Sets the clock sysvar, and the slot hashes of the last slots, which making lookup tables
     * needs.
     */
    setClock(slot: number, unixTime: number, blockhash: (slot: number) => string): void {
      const at = `${slot}/${unixTime}`;
      if (at === clockAt) return;
      clockAt = at;
      const clock = lite.getClock();
      clock.slot = BigInt(slot);
      clock.unixTimestamp = BigInt(unixTime);
      clock.epoch = clock.slot / SLOTS_PER_EPOCH;
      lite.setClock(clock);
      const oldest = slot - SLOT_HASHES;
      const known = slotHashes.filter(({ slot: at }) => at >= oldest && at < slot);
      const first = known[0] ? Number(known[0].slot) + 1 : oldest;
      const newer = Array.from({ length: slot - first }, (_, i) => ({
        slot: BigInt(slot - 1 - i),
        hash: blockhash(slot - 1 - i),
      }));
      slotHashes = [...newer, ...known];
      lite.setSlotHashes(slotHashes as Parameters<LiteSVM['setSlotHashes']>[0]);
    },

    run(messageBytes: Uint8Array, signatures: Record<string, Uint8Array>): SvmOutcome {
      const transaction: unknown = { messageBytes, signatures };
      const result = lite.sendTransaction(transaction as SvmTransaction);
      const failed = result instanceof FailedTransactionMetadata;
      const meta = failed ? result.meta() : result;
      return {
        err: failed ? errorJson(result.err()) : null,
        // The fee has no getter. It is the last field of the printed form.
        fee: Number(/fee: (\d+)/.exec(meta.toString().slice(-80))?.[1] ?? 0),
        logs: meta.logs(),
        inner: innerInstructions(meta),
        computeUnits: Number(meta.computeUnitsConsumed()),
        returnData: returnData(meta),
      };
    },
  };
}

function innerInstructions(meta: TransactionMetadata): InnerIx[][] {
  return meta.innerInstructions().map((list) =>
    list.map((inner) => {
      const compiled = inner.instruction();
      return {
        programIdIndex: compiled.programIdIndex(),
        accounts: [...compiled.accounts()],
        data: new Uint8Array(compiled.data()),
        stackHeight: inner.stackHeight(),
      };
    }),
  );
}

function returnData(meta: TransactionMetadata): Meta['returnData'] {
  const value = meta.returnData();
  if (value.data().length === 0) return null;
  return {
    programId: bs58.encode(value.programId()),
    data: [Buffer.from(value.data()).toString('base64'), 'base64'],
  };
}
