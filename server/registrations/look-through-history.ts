import type { Registration } from '@/generated/prisma/client';
import { listTokenAccounts } from '@/server/chain/token-accounts';
import type { SignatureLine } from '@quittance/verify/chain/rpc-schemas';
import type { ServiceContext } from '@/server/context';
import { listTokens } from '@quittance/verify/tokens/token-table';
import { noteTransactions } from './registrations';

type LookContext = Pick<ServiceContext, 'db' | 'env' | 'rpc' | 'clock'>;

/**
 * Slots before the last one seen that are scanned again: a node may learn of a transaction later
 * than of its neighbours. Two minutes.
 */
const OVERLAP_SLOTS = 300n;

/**
 * Notes every final transaction of a registered wallet that was not noted yet. It reads the wallet
 * itself and its accounts of each token that can be valued. The position is saved only when
 * everything before it is noted, so an interrupted scan is repeated. Throws RpcUnavailable.
 */
export async function lookThroughHistory(
  ctx: LookContext,
  registration: Pick<Registration, 'walletAddress' | 'fromSlot'>,
): Promise<number> {
  const { walletAddress: wallet, fromSlot } = registration;
  const cursors = await ctx.db.historyCursor.findMany({ where: { wallet } });
  const done = new Map(cursors.map(({ account, slot }) => [account, slot]));
  // An account that is closed today may have been paid before.
  const accounts = new Set([...(await accountsOf(ctx, wallet)), ...done.keys()]);
  let noted = 0;
  for (const account of accounts) {
    const slot = done.get(account);
    const resumed = slot === undefined ? fromSlot : slot - OVERLAP_SLOTS;
    const since = resumed > fromSlot ? resumed : fromSlot;
    noted += await lookThroughAccount(ctx, { wallet, account, since });
  }
  return noted;
}

async function accountsOf(ctx: LookContext, wallet: string): Promise<string[]> {
  const mints = listTokens(ctx.env.network).flatMap(({ mint, valuation }) =>
    mint !== null && valuation !== null ? [mint] : [],
  );
  const found = await Promise.all(
    mints.map((mint) => listTokenAccounts(ctx.rpc, { wallet, mint })),
  );
  return [wallet, ...found.flatMap(({ accounts }) => accounts)];
}

async function lookThroughAccount(
  { db, rpc, clock }: LookContext,
  o: { wallet: string; account: string; since: bigint },
): Promise<number> {
  const { wallet, account, since } = o;
  let noted = 0;
  let newestFinal: bigint | null = null;
  let oldestOpen: bigint | null = null;
  let before: string | undefined;
  for (;;) {
    const lines = await rpc.getSignaturesForAddress(
      account,
      before === undefined ? {} : { before },
    );
    for (const { slot, final } of lines) {
      if (final) newestFinal = newestFinal === null || slot > newestFinal ? slot : newestFinal;
      else oldestOpen = oldestOpen === null || slot < oldestOpen ? slot : oldestOpen;
    }
    const signatures = lines.filter((line) => isWanted(line, since)).map((l) => l.signature);
    noted += await noteTransactions(db, { signatures, now: clock.now() });
    const oldest = lines.at(-1);
    if (!oldest || oldest.slot < since) break;
    before = oldest.signature;
  }
  // A transaction that is not final yet is left for a later scan, with all that came after it.
  const upTo =
    oldestOpen !== null && newestFinal !== null && oldestOpen <= newestFinal
      ? oldestOpen - 1n
      : newestFinal;
  if (upTo !== null)
    await db.$executeRaw`
      insert into history_cursors (wallet, account, slot) values (${wallet}, ${account}, ${upTo})
      on conflict (wallet, account) do update
        set slot = greatest(history_cursors.slot, excluded.slot)`;
  return noted;
}

function isWanted({ slot, final, failed }: SignatureLine, since: bigint): boolean {
  return final && !failed && slot >= since;
}
