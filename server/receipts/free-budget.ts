import { Prisma } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';
import { ServiceError } from '@/server/errors';
import type { Limits } from '@/server/limits';

export type FreeMintWish = {
  /**
   * The wallet that requests the receipt: its payer or seller, and the registered seller for an
   * automatic one.
   */
  wallet: string;
  payer: string;
  seller: string;
  /** Key of the client address (see `clientKey`); null without a client. */
  client: string | null;
  /** Whether it is automatic. Those count for the seller separately from its own requests. */
  isAutomatic?: boolean;
  /** Value of the transfer, in micro-USD. */
  usdMicros: bigint;
};
/** A wish at a time, and the limits it is held against. */
export type FreeMintOrder = { wish: FreeMintWish; limits: Limits; now: Date };
type Scope = 'wallet' | 'auto' | 'pair' | 'client' | 'small' | 'all';
type Part = { scope: Scope; key: string; most: number };

/** Transfers of less, in micro-USD, may use half of a day's receipts: the rest is kept for those from 0.01 USD up. */
const SMALL_MICROS = 10_000n;
/** Past days are not needed. The last week is kept for questions of operators. */
const KEPT_DAYS = 7;
const DAY_MS = 86_400_000;

/**
 * Takes one free receipt out of the day's budgets, inside the transaction that writes it: a receipt that is not
 * written is not counted. Throws 429 with the time of the next day when one of them is used up.
 */
export async function takeFreeMint(tx: Db, o: FreeMintOrder): Promise<void> {
  const parts = partsOf(o.wish, o.limits);
  if (parts.length === 0) return;
  const most = JSON.stringify(Object.fromEntries(parts.map((part) => [part.scope, part.most])));
  const wanted = parts.filter((part) => part.most > 0);
  // In a fixed order, so that no two wait for each other.
  const taken = await tx.$queryRaw<{ scope: string }[]>`
    insert into free_mints (day, scope, key, used)
    select ${startOfDay(o.now)}::date, scope, key, 1
    from unnest(${wanted.map(({ scope }) => scope)}::text[], ${wanted.map(({ key }) => key)}::text[])
      with ordinality as wanted (scope, key, place)
    order by place
    on conflict (day, scope, key) do update set used = free_mints.used + 1
    where free_mints.used < (${most}::jsonb ->> free_mints.scope)::int
    returning scope`;
  const missed = parts.find(({ scope }) => !taken.some((row) => row.scope === scope));
  if (missed) throw spent(missed.scope, missed.most, o.now);
}

/** The used part of the day's budgets for a wish, by scope. */
export type UsedBudget = Readonly<Record<string, number>>;

/** {@link UsedBudget} as one JSON value inside a query. */
export function usedBudget({ wish, limits, now }: FreeMintOrder): Prisma.Sql {
  const parts = partsOf(wish, limits);
  return Prisma.sql`(
    select coalesce(jsonb_object_agg(scope, used), '{}') from free_mints
    where day = ${startOfDay(now)}::date and (scope, key) in (
      select * from unnest(${parts.map(({ scope }) => scope)}::text[], ${parts.map(({ key }) => key)}::text[])))`;
}

/** Refuses, before any work is done, what {@link takeFreeMint} would refuse now. */
export function refuseSpentBudget(used: UsedBudget, { wish, limits, now }: FreeMintOrder): void {
  const spentPart = partsOf(wish, limits).find(({ scope, most }) => (used[scope] ?? 0) >= most);
  if (spentPart) throw spent(spentPart.scope, spentPart.most, now);
}

/** Free receipts that the day still has for all together; null where there is no limit. */
export async function freeMintsLeft(
  db: Db,
  o: { limits: Limits; now: Date },
): Promise<number | null> {
  if (o.limits === null) return null;
  const row = await db.freeMint.findUnique({
    where: { day_scope_key: { day: startOfDay(o.now), scope: 'all', key: '' } },
  });
  return Math.max(0, o.limits.free_all - (row?.used ?? 0));
}

/** Deletes the counts of days long past. */
export async function forgetOldBudgets(db: Db, now: Date): Promise<void> {
  const before = new Date(startOfDay(now).getTime() - KEPT_DAYS * DAY_MS);
  await db.freeMint.deleteMany({ where: { day: { lt: before } } });
}

/** In one order for everybody, so that no two requests wait for each other. */
function partsOf(wish: FreeMintWish, limits: Limits): Part[] {
  if (limits === null) return [];
  const { wallet, payer, seller, client, usdMicros, isAutomatic } = wish;
  const pair = [payer, seller].sort().join(':');
  const ofClient: Part[] =
    client === null ? [] : [{ scope: 'client', key: client, most: limits.free_client }];
  const ofSmall: Part[] =
    usdMicros < SMALL_MICROS
      ? [{ scope: 'small', key: '', most: Math.floor(limits.free_all / 2) }]
      : [];
  return [
    { scope: isAutomatic === true ? 'auto' : 'wallet', key: wallet, most: limits.free_wallet },
    { scope: 'pair', key: pair, most: limits.free_pair },
    ...ofClient,
    ...ofSmall,
    { scope: 'all', key: '', most: limits.free_all },
  ];
}

const WHOSE: Record<Scope, string> = {
  wallet: 'of this wallet',
  auto: 'that this seller gets automatically',
  pair: 'between these two wallets',
  client: 'of this client address',
  small: 'for transfers under 0.01 USD',
  all: 'of the service',
};

function spent(scope: Scope, most: number, now: Date): ServiceError {
  const reset = new Date(startOfDay(now).getTime() + DAY_MS);
  return new ServiceError(
    'free_mints_spent',
    `The ${most} free receipts ${WHOSE[scope]} for today are used up. Please try again after ${reset.toISOString().slice(0, 16).replace('T', ' ')} UTC.`,
    { retryAfterS: Math.ceil((reset.getTime() - now.getTime()) / 1000) },
  );
}

function startOfDay(now: Date): Date {
  return new Date(now.toISOString().slice(0, 10));
}
