import { toDecimal, USD_DECIMALS, USDC_DECIMALS } from '@quittance/verify/money';
import { padDecimal } from '@quittance/verify/receipts/transfer-row';
import { selectedIds } from '@/server/dashboard/page-rows';
import { sumPayments } from '@/server/dashboard/sum-payments';
import { countUnfinished, type DaySum } from '@/server/dashboard/sum-rows';
import { rowValuer } from '@/server/exports/value-rows';
import { sumByCountry } from '@/server/jurisdiction/jurisdictions';
import { priceReceipt } from '@/server/payments/prices';
import { requireCountry } from '@/server/rates/countries';
import { localAmount, ratesForDays } from '@/server/rates/local-rate';
import { listFeeDue } from '@/server/registrations/registrations';
import { filterOf } from './list-dashboard';
import { monthsOf } from './months-of';
import type {
  AttentionBody,
  CountriesBody,
  CountriesInput,
  TotalsBody,
  TotalsInput,
} from './schemas';
import type { Call, SessionActor } from '../call';

type Sum = { count: number; rowCount: number; usdMicros: bigint; localMinor: bigint };

/**
 * Totals of a period over every leg, by token and month. They are in dollars and in the currency of
 * a country, by the rate of each day. Local values are rounded once for each day and token.
 */
export async function totalDashboard(call: Call<TotalsInput, SessionActor>): Promise<TotalsBody> {
  const { actor: session, input } = call;
  const country = requireCountry(input.country);
  const { db, env } = call.service;
  const valuer = rowValuer(call.service, country.code);
  const days = await sumPayments(db, {
    filter: filterOf(session, input),
    network: env.network,
    prepare: valuer.prepare,
    priceOf: valuer.priceOf,
  });
  const rates = await ratesForDays({
    ctx: call.service,
    country: country.code,
    days: days.map(({ day }) => day),
  });
  let withoutRate = 0;
  let isProvisional = false;
  const total = nothing();
  const months = new Map(monthsOf(days, input).map((month) => [month, nothing()]));
  const tokens = new Map<string, Sum & { one: DaySum; amountRaw: bigint }>();
  for (const one of days) {
    const rate = rates.get(one.day) ?? { error: 'not asked for' };
    const localMinor = 'error' in rate ? 0n : localAmount(rate, one);
    if ('error' in rate) withoutRate += one.rowCount;
    else isProvisional ||= rate.provisional;
    const key = `${one.mint ?? ''}/${one.decimals}`;
    const token = tokens.get(key) ?? { ...nothing(), one, amountRaw: 0n };
    tokens.set(key, token);
    token.amountRaw += one.amountRaw;
    const month = months.get(one.day.slice(0, 7));
    for (const sum of [total, token, ...(month ? [month] : [])]) add(sum, one, localMinor);
  }
  const value = ({ rowCount, usdMicros, localMinor }: Sum) => ({
    row_count: rowCount,
    usd_amount: toDecimal(usdMicros, USD_DECIMALS),
    local_amount: padDecimal(localMinor, country.minorUnits),
  });
  const present = (sum: Sum) => ({ count: sum.count, ...value(sum) });
  return {
    currency: country.currency,
    ...present(total),
    without_rate: withoutRate,
    provisional: isProvisional,
    by_token: [...tokens.values()]
      .sort((a, b) => (a.usdMicros < b.usdMicros ? 1 : -1))
      .map(({ one, amountRaw, ...sum }) => ({
        token: one.token,
        mint: one.mint,
        amount: toDecimal(amountRaw, one.decimals),
        ...value(sum),
      })),
    by_month: [...months].map(([month, sum]) => ({ month, ...present(sum) })),
  };
}

/**
 * A seller's payers by country; the rest of its receipts has none on record. A token selects the
 * receipts with a leg in it. The value of each is that of its own transfer.
 */
export async function totalCountries(
  call: Call<CountriesInput, SessionActor>,
): Promise<CountriesBody> {
  const { actor: session, input } = call;
  const filter = filterOf(session, { ...input, role: 'seller' });
  const { wallet: seller, from, until } = filter;
  const among = selectedIds(filter);
  const sums = await sumByCountry(call.service.db, { seller, from, until, among });
  return {
    countries: sums.flatMap(({ country, count, usdMicros }) =>
      country === null ? [] : [{ country, count, usd_amount: toDecimal(usdMicros, USD_DECIMALS) }],
    ),
  };
}

function nothing(): Sum {
  return { count: 0, rowCount: 0, usdMicros: 0n, localMinor: 0n };
}

function add(sum: Sum, one: DaySum, localMinor: bigint): void {
  sum.count += one.count;
  sum.rowCount += one.rowCount;
  sum.usdMicros += one.usdMicros;
  sum.localMinor += localMinor;
}

/** Transfers with a fee due that are shown at once. The count includes the rest. */
const MOST_DUE = 50;

/**
 * The items that wait for the signed-in wallet: unfinished receipts, and incoming transfers with a
 * fee due.
 */
export async function readAttention(call: Call<null, SessionActor>): Promise<AttentionBody> {
  const { actor: session } = call;
  const { db } = call.service;
  const [unfinished, due] = await Promise.all([
    countUnfinished(db, session.wallet),
    listFeeDue(db, { seller: session.wallet, limit: MOST_DUE }),
  ]);
  return {
    ...unfinished,
    fee_due: {
      count: due.count,
      items: due.items.map((item) => ({
        tx_signature: item.txSignature,
        payer: item.payer,
        token: item.token,
        amount: toDecimal(item.amountRaw, item.decimals),
        usd_amount: toDecimal(item.usdMicros, USD_DECIMALS),
        fee: toDecimal(priceReceipt(item.usdMicros), USDC_DECIMALS),
        block_time: item.blockTime.toISOString(),
      })),
    },
  };
}
