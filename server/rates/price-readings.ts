import type { LegPrice } from '@quittance/verify/chain/movements';
import { judgeMovements } from '@quittance/verify/chain/judge-movements';
import { refuseUnpriced } from '@/server/chain/refuse-unpriced';
import {
  withFinality,
  type TransactionReading,
  type TransferReading,
  type UnpricedReading,
} from '@quittance/verify/chain/transfer';
import { ServiceError } from '@/server/errors';
import { tokenByMint } from '@quittance/verify/tokens/token-table';
import { dayOf } from './day';
import { toDecimalText } from '@quittance/verify/rates/fraction';
import { freezePrices, loadPrices, type FrozenPrice } from './freeze-prices';
import { priceToken, type TokenPrice } from './price-token';
import type { RatesContext } from './rates-context';

/** As {@link priceReadings} for one. */
export async function priceReading(
  ctx: RatesContext,
  reading: TransactionReading,
): Promise<TransferReading> {
  const [priced] = await priceReadings(ctx, [reading]);
  if (!priced) throw new Error('a reading was not judged');
  return priced;
}

/**
 * Judges the readings whose transfer hangs on prices, in their order: by the prices that each transaction was
 * first read with, else by those of its day, which are frozen with it from then on. Where a price was never
 * published the answer is the refusal `rate_not_covered`; where a source does not answer this throws
 * `rates_unavailable`. Nothing is chosen without a price.
 */
export async function priceReadings(
  ctx: RatesContext,
  readings: readonly TransactionReading[],
): Promise<TransferReading[]> {
  const known = await loadPrices(ctx, readings.filter(isUnpriced).map(signatureOf));
  const priced: TransferReading[] = [];
  for (const reading of readings)
    priced.push(
      isUnpriced(reading)
        ? await settle(ctx, reading, known.get(signatureOf(reading)) ?? [])
        : reading,
    );
  return priced;
}

type Prices = readonly LegPrice[];

async function settle(
  ctx: RatesContext,
  first: UnpricedReading,
  known: Prices,
): Promise<TransferReading> {
  const { movements } = first;
  const { network } = ctx.env;
  let prices = known;
  // Each turn asks for the prices that the one before missed; there are no more tokens than legs.
  for (let turn = 0; turn <= movements.legs.length; turn += 1) {
    const reading = judgeMovements(movements, { network, prices });
    if (!isUnpriced(reading)) return settled(reading, first);
    const asked = await Promise.all(reading.needs.map((mint) => askPrice(ctx, mint, movements)));
    const { signature } = movements;
    await freezePrices(
      ctx,
      asked.flatMap((price) => ('usdPerUnit' in price ? [{ signature, price }] : [])),
    );
    prices = (await loadPrices(ctx, [signature])).get(signature) ?? [];
    const gaps = asked.flatMap((price) => ('gap' in price ? [price] : []));
    if (gaps.length > 0)
      return refuseUnpriced(
        { ...reading, needs: gaps.map(({ mint }) => mint) },
        { network, prices, reason: gaps.map(({ gap }) => gap).join(' ') },
      );
  }
  throw new Error(`the prices of ${movements.signature} were not kept`);
}

/** A mint whose price was not published on that day or in the days before it, and how the source says so. */
type Gap = { mint: string | null; gap: string };

async function askPrice(
  ctx: RatesContext,
  mint: string | null,
  { blockTime, signature }: UnpricedReading['movements'],
): Promise<FrozenPrice | Gap> {
  const token = tokenByMint(mint, ctx.env.network);
  const day = dayOf(blockTime);
  const price = token && (await priceOrWhyNot(ctx, { token, day }, signature));
  if (price instanceof ServiceError) return { mint, gap: price.message };
  if (!price?.source) throw new Error(`${mint ?? 'SOL'} has no price`);
  return {
    mint,
    usdPerUnit: toDecimalText(price.usdPerUnit),
    basis: price.basis,
    source: price.source,
  };
}

/** A day without a price stays without; a source that does not answer is asked again later. */
async function priceOrWhyNot(
  ctx: RatesContext,
  o: Parameters<typeof priceToken>[1],
  signature: string,
): Promise<TokenPrice | ServiceError | null> {
  try {
    return await priceToken(ctx, o);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.code === 'rate_not_covered') return error;
    throw new ServiceError(
      'rates_unavailable',
      `The transaction ${signature} pays in several tokens, and which of them is the payment depends on a price that cannot be had now. ${error.message}`,
      { cause: error, retryAfterS: 30 },
    );
  }
}

function settled(reading: TransferReading, { finality }: UnpricedReading): TransferReading {
  const known = withFinality(reading, finality);
  if (isUnpriced(known)) throw new Error('a judged reading needs no price');
  return known;
}

function isUnpriced(reading: TransactionReading): reading is UnpricedReading {
  return !reading.ok && reading.code === 'price_needed';
}

function signatureOf({ movements }: UnpricedReading): string {
  return movements.signature;
}
