import type { Db } from '@/server/db/client';
import { toDecimal } from '@quittance/verify/money';
import { ledgerState } from '@/server/payments/ledger/scan-ledger';
import { runCheck, type Finding } from './finding';

/**
 * The service reads the ledger every minute, so an older one means that its scan does not run or
 * does not end.
 */
const OLD_S = 900;

type Read = { accounts: number; unread: number; slot: bigint | null };

/**
 * How far the ledger of PAY_TO was read, how long ago, and its difference from the chain, by token.
 */
export function checkLedger(db: Db): Promise<Finding> {
  return runCheck('ledger', async () => {
    const [read] = await db.$queryRaw<Read[]>`
      select count(*)::int as accounts, min(up_to_slot) as slot,
        (count(*) filter (where up_to_slot is null))::int as unread
      from ledger_accounts where token is not null`;
    if (!read || read.accounts === 0) return 'is not read yet: the service does this every minute';
    const { differences, ageS } = await ledgerState(db);
    const words = [
      read.slot === null ? 'no account read to its end' : `read up to slot ${read.slot}`,
      ...(read.unread === 0 ? [] : [`${read.unread} accounts not read to their end`]),
      `${Math.round(ageS)} s ago`,
      ...differences.map(
        ({ token, decimals, kind, amountRaw }) =>
          `${token} ${kind === 'rows' ? 'differs by' : 'unexplained'} ${toDecimal(amountRaw, decimals)}`,
      ),
    ];
    const isWrong = ageS > OLD_S || differences.some(({ amountRaw }) => amountRaw !== 0n);
    if (isWrong) throw new Error(`${words.join(', ')}: run npm run admin -- reconcile`);
    return words.join(', ');
  });
}
