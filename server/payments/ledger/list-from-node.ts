import { TOKEN, TOKEN_2022 } from '@quittance/verify/chain/programs';
import { RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import type { Account, SignatureLine } from '@quittance/verify/chain/rpc-schemas';
import bs58 from 'bs58';
import type { LedgerAccount } from '@/generated/prisma/client';
import type { Rpc } from '@/server/chain/rpc';

/** Addresses in one question for accounts: the limit of Solana's JSON-RPC. */
const MOST_ACCOUNTS = 100;

/** The balance of an account of ours on one node, in base units, at a final slot. */
export type Balance = { slot: bigint; amount: bigint; exists: boolean };

/**
 * Balances of accounts as one node has them at its last final slot. Asked for before the histories,
 * so that the histories of that node include every transaction behind them.
 */
export async function balancesAt(
  node: Rpc,
  accounts: readonly LedgerAccount[],
): Promise<Map<string, Balance>> {
  const balances = new Map<string, Balance>();
  for (let at = 0; at < accounts.length; at += MOST_ACCOUNTS) {
    const some = accounts.slice(at, at + MOST_ACCOUNTS);
    const read = await node.getAccounts(some.map(({ account }) => account));
    for (const [index, one] of some.entries()) {
      const account = read.accounts[index] ?? null;
      const amount = amountOf(account, one);
      balances.set(one.account, { slot: read.slot, amount, exists: account !== null });
    }
  }
  return balances;
}

/** Zero for a token account that belongs to somebody else by now. */
function amountOf(account: Account | null, { mint, wallet }: LedgerAccount): bigint {
  if (account === null) return 0n;
  if (mint === null) return account.lamports;
  const isToken = account.owner === TOKEN || account.owner === TOKEN_2022;
  if (!isToken || account.data.length < 72) return 0n;
  // Mint, owner and amount are the first three fields of a token account (spl-token, state.rs).
  if (bs58.encode(account.data.subarray(0, 32)) !== mint) return 0n;
  if (bs58.encode(account.data.subarray(32, 64)) !== wallet) return 0n;
  return Buffer.from(account.data).readBigUInt64LE(64);
}

/** Final transactions of one slot range of an account's history, with their order within each slot. */
export type HistoryPage = { lines: SignatureLine[]; positions: Map<string, number> };

/**
 * The history of an account as one node has it, newest first and in whole slots, down to `since`. A
 * short page does not count as the last one: only an empty page does. Throws RpcUnavailable, also
 * for pages that lead no further back.
 */
export async function* historyOf(
  node: Rpc,
  o: { account: string; since: bigint },
): AsyncGenerator<HistoryPage> {
  let last: SignatureLine | undefined;
  /** Lines of the oldest slot so far, which the next page may continue. */
  let rest: SignatureLine[] = [];
  for (;;) {
    const lines = await node.getSignaturesForAddress(
      o.account,
      last ? { before: last.signature } : {},
    );
    const oldest = lines.at(-1);
    if (!oldest) break;
    const all = [...rest, ...lines];
    rest = all.filter(({ slot }) => slot === oldest.slot);
    yield toPage(all.filter(({ slot }) => slot !== oldest.slot));
    if (oldest.slot < o.since) break;
    last = olderLine(oldest, last);
  }
  yield toPage(rest);
}

function toPage(all: readonly SignatureLine[]): HistoryPage {
  const lines = all.filter(({ final }) => final);
  const bySlot = new Map<bigint, string[]>();
  for (const { slot, signature } of lines)
    bySlot.set(slot, [signature, ...(bySlot.get(slot) ?? [])]);
  const positions = new Map(
    [...bySlot.values()].flatMap((oldestFirst) =>
      oldestFirst.map((signature, index) => [signature, index] as const),
    ),
  );
  return { lines, positions };
}

/**
 * The line before which the next page of a history continues: the oldest of this page. Throws
 * RpcUnavailable when the page leads no further back than the one before it, for example because a
 * node repeats the newest lines.
 */
export function olderLine(
  oldest: SignatureLine,
  previous: SignatureLine | undefined,
): SignatureLine {
  const isOlder =
    !previous || (oldest.signature !== previous.signature && oldest.slot <= previous.slot);
  if (isOlder) return oldest;
  throw new RpcUnavailable(`A node returns no lines older than ${previous.signature}`);
}
