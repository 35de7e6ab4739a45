import type { RowFilter } from '@/server/dashboard/row-filter';
import { ServiceError } from '@/server/errors';
import { addDays, startOf } from '@/server/rates/day';
import type { Session } from '@/server/wallets/sign-in';

/** What a signed-in wallet may look at is its own, on the side it asks for. */
export function filterOf(
  session: Session,
  input: {
    role: 'seller' | 'payer';
    first_day: string;
    last_day: string;
    token?: string | undefined;
    search?: string | undefined;
    status?: 'pending' | 'failed' | undefined;
  },
): RowFilter {
  const { role, first_day, last_day, token, search, status } = input;
  if (first_day > last_day)
    throw new ServiceError(
      'invalid_request',
      `Invalid request: last_day: the period is reversed: it begins on ${first_day} and ends on ${last_day}`,
      { details: { last_day: 'is before first_day' } },
    );
  return {
    wallet: session.wallet,
    ...{ role, search, status },
    ...(token === undefined ? {} : { mint: token === 'SOL' ? null : token }),
    from: startOf(first_day),
    until: startOf(addDays(last_day, 1)),
  };
}
