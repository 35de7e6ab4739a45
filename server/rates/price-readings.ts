import { judgeMovements } from '@quittance/verify/chain/judge-movements';
import type { LegPrice } from '@quittance/verify/chain/movements';
import {
  areLegsStated,
  type Refusal,
  refuse,
  type TransactionReading,
  type TransferReading,
  type UnpricedReading,
  withFinality,
} from '@quittance/verify/chain/transfer';
import { fractionOf, toDecimalText } from '@quittance/verify/money';
import { tokenByMint } from '@quittance/verify/tokens/token-table';
import { readTransferOnce } from '@/server/chain/stored-reading';
import type { ScannedTransaction } from '@/server/chain/scan-transactions';
import { dayOf } from '@/server/clock';
import type { ServiceContext } from '@/server/context';
import type { Network } from '@/server/env';
import { ServiceError } from '@/server/errors';
import { priceToken, type RatesContext, type TokenPrice } from './find-rate';

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
 * Judges the readings whose transfer depends on prices, in their order. It uses the prices that
 * each transaction was first read with, otherwise those of its day, which are frozen with it from
 * then on. If a price was never published, the answer is the refusal `rate_not_covered`. If a
 * source does not answer, this throws `rates_unavailable`. Nothing is chosen without a price.
 */
async function priceReadings(
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
      `The transaction ${signature} pays in several tokens, and a price that is not available now decides which one is the payment. ${error.message}`,
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

/** A transaction of a history, judged by prices where that was needed. */
export type PricedTransaction = Omit<ScannedTransaction, 'reading'> & { reading: TransferReading };

/**
 * Which payment a transaction is: read from the chain once in the service's life, and chosen by the prices
 * that it was first read with. Throws RpcUnavailable and `rates_unavailable`.
 */
export async function readPricedOnce(
  service: RatesContext & Pick<ServiceContext, 'rpc' | 'clock'>,
  signature: string,
): Promise<TransferReading> {
  return priceReading(service, await readTransferOnce(service, signature));
}

/** As {@link priceReadings} for the transactions of a history, in their order. */
export async function priceScanned(
  ctx: RatesContext,
  scanned: readonly ScannedTransaction[],
): Promise<PricedTransaction[]> {
  const readings = await priceReadings(
    ctx,
    scanned.map(({ reading }) => reading),
  );
  return scanned.map((one, place) => {
    const reading = readings[place];
    if (!reading) throw new Error(`${one.signature} was not judged`);
    return { ...one, reading };
  });
}

/** A stored price: an exact decimal, so that everyone who reads it weighs alike. */
export type FrozenPrice = {
  mint: string | null;
  usdPerUnit: string;
  basis: string;
  source: string;
};

type Store = Pick<RatesContext, 'db' | 'env'>;

/** The prices that transactions were first read with, by signature. */
async function loadPrices(
  { db, env }: Store,
  signatures: readonly string[],
): Promise<Map<string, LegPrice[]>> {
  const prices = new Map<string, LegPrice[]>();
  if (signatures.length === 0) return prices;
  const rows = await db.transactionPrice.findMany({
    where: { network: env.network, signature: { in: [...signatures] } },
    orderBy: { mint: 'asc' },
  });
  for (const { signature, mint, usdPerUnit, basis, source } of rows) {
    const known = prices.get(signature) ?? [];
    known.push(toLegPrice({ mint: mint === '' ? null : mint, usdPerUnit, basis, source }));
    prices.set(signature, known);
  }
  return prices;
}

/** Keeps prices with a transaction; those that were kept first stay. */
async function freezePrices(
  { db, env }: Store,
  rows: readonly { signature: string; price: FrozenPrice }[],
): Promise<void> {
  await db.transactionPrice.createMany({
    data: rows.map(({ signature, price }) => ({
      network: env.network,
      signature,
      mint: price.mint ?? '',
      usdPerUnit: price.usdPerUnit,
      basis: price.basis,
      source: price.source,
    })),
    skipDuplicates: true,
  });
}

function toLegPrice({ mint, usdPerUnit, basis, source }: FrozenPrice): LegPrice {
  const price = fractionOf(usdPerUnit);
  if (!price || (basis !== 'fx' && basis !== 'market'))
    throw new Error(`the price ${usdPerUnit} of ${mint ?? 'SOL'} is not valid`);
  return { mint, usdPerUnit: price, basis, source };
}

/** Prices that no token comes near: whichever leg can be the largest is so at one of them. */
const EXTREMES = [
  { num: 1n, den: 10n ** 30n },
  { num: 10n ** 30n, den: 1n },
] as const;

/**
 * The refusal of a transaction whose transfer depends on a price that was never published. There is
 * no receipt, because it is unknown which leg is the payment. If it is a payment at any price, its
 * legs are still known, and statements list those that have a value.
 */
function refuseUnpriced(
  reading: UnpricedReading,
  o: { network: Network; prices: readonly LegPrice[]; reason: string },
): Refusal {
  const { movements, needs } = reading;
  const refusal = refuse(
    'rate_not_covered',
    `it pays in several tokens, and a price that was never published decides which one is the payment. ${o.reason}`,
    movements,
  );
  const isPaymentAnyway = combinations(needs).every((guess) =>
    areLegsStated(
      judgeMovements(movements, { network: o.network, prices: [...o.prices, ...guess] }),
    ),
  );
  return isPaymentAnyway ? { ...refusal, areLegsSure: true } : refusal;
}

/** Every choice of an extreme price for each mint. */
function combinations(mints: readonly (string | null)[]): LegPrice[][] {
  return mints.reduce<LegPrice[][]>(
    (lists, mint) =>
      lists.flatMap((list) =>
        EXTREMES.map((usdPerUnit) => [
          ...list,
          { mint, usdPerUnit, basis: 'market', source: null } as const,
        ]),
      ),
    [[]],
  );
}
