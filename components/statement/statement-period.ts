/** The request for a statement of whole days in UTC. */
export type StatementRequest = {
  wallet_address: string;
  period_start: string;
  period_end: string;
  output_formats: ('json' | 'csv')[];
};

/** The most days of a statement, which the service checks as well (`frozen-list.ts`). */
export const MOST_DAYS = 366;

/** The request for the payments of a wallet from one day to another, both included (`2026-11-30`). */
export function requestOf(o: { wallet: string; from: string; until: string }): StatementRequest {
  return {
    wallet_address: o.wallet,
    period_start: `${o.from}T00:00:00Z`,
    // An end at second 59 includes that second.
    period_end: `${o.until}T23:59:59Z`,
    output_formats: ['json', 'csv'],
  };
}

/** Whether two requests are for the same payments. */
export function isSameRequest(one: StatementRequest, other: StatementRequest): boolean {
  return (
    one.wallet_address === other.wallet_address &&
    one.period_start === other.period_start &&
    one.period_end === other.period_end
  );
}

/** The number of days of a period, both ends included. NaN while a day is incomplete. */
export function daysOf(o: { from: string; until: string }): number {
  return (Date.parse(o.until) - Date.parse(o.from)) / 86_400_000 + 1;
}
