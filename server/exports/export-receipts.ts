import { setImmediate } from 'node:timers/promises';
import type { ServiceContext } from '@/server/context';
import type { Network } from '@/server/env';
import type { TransferRow } from '@quittance/verify/receipts/transfer-row';
import { EXPORT_FORMATS } from './export-format';
import type { PriceOf } from './leg-rows';
import {
  type Cursor,
  type LocalOf,
  type PackedReceipt,
  pageReceipts,
  unpackReceipt,
} from './unpack-receipt';
import { rowValuer } from './value-rows';

/** Rows in memory at once: this many being written, and as many being read. */
const PAGE = 500;

export type ExportFormatName = keyof typeof EXPORT_FORMATS;
type ExportContext = Pick<ServiceContext, 'env' | 'db' | 'clock'>;
type Wish = { wallet: string; country: string; format: ExportFormatName };

/**
 * All receipts of a wallet, oldest first, as the pieces of a file. Throws before the first piece
 * when the database does not answer or the country is unsupported. Also when a rate of the first
 * page is not available (`rates_unavailable`). A rate that fails later cuts the file off, so a file
 * that ends properly is complete.
 */
export async function exportReceipts(
  ctx: ExportContext,
  o: Wish,
): Promise<AsyncGenerator<string, void>> {
  const valuer = rowValuer(ctx, o.country);
  const { hasLocalMoney } = EXPORT_FORMATS[o.format];
  const load = (cursor: Cursor | null): Promise<PackedReceipt[]> => {
    const page = pageReceipts(ctx.db, { wallet: o.wallet, cursor, limit: PAGE });
    // Nobody awaits a prefetched page when the export is aborted.
    page.catch(() => undefined);
    return page;
  };
  const value: Source['value'] = hasLocalMoney
    ? {
        prepare: (page) => valuer.prepareAll(page.map(toPriced)),
        localOf: valuer.localOf,
        priceOf: valuer.priceOf,
      }
    : { prepare: () => Promise.resolve(), localOf: () => null, priceOf: () => null };
  const first = await load(null);
  await value.prepare(first);
  return write({ ...o, network: ctx.env.network }, { load, value, first });
}

type Source = {
  load: (cursor: Cursor | null) => Promise<PackedReceipt[]>;
  value: {
    prepare: (page: readonly PackedReceipt[]) => Promise<void>;
    localOf: LocalOf;
    priceOf: PriceOf;
  };
  /** Prepared already. */
  first: PackedReceipt[];
};

async function* write(
  o: Wish & { network: Network },
  source: Source,
): AsyncGenerator<string, void> {
  const { load, value } = source;
  const country = o.country.toUpperCase();
  const file = EXPORT_FORMATS[o.format].open({ wallet: o.wallet, country });
  yield file.head;
  let isFirst = true;
  let page = source.first;
  for (;;) {
    const last = page.at(-1);
    const isFull = page.length === PAGE;
    const next = last && isFull ? load(cursorAfter(last)) : null;
    // The query leaves at the end of this turn of the event loop. So the database reads the next page while the rows
    // of this one become text.
    await setImmediate();
    const text = file.rows(
      unpack(page, {
        wallet: o.wallet,
        network: o.network,
        localOf: value.localOf,
        priceOf: value.priceOf,
      }),
    );
    // Drop the reference: old garbage that still names the page would keep its rows in memory.
    page.length = 0;
    if (text !== '') yield isFirst ? text : file.between + text;
    if (text !== '') isFirst = false;
    if (next === null) break;
    page = await next;
    await value.prepare(page);
  }
  if (file.foot !== '') yield file.foot;
}

function cursorAfter({ blockTimeMs, slot, blockIndex, receiptId: id }: PackedReceipt): Cursor {
  return { blockTime: new Date(blockTimeMs), slot, blockIndex, id };
}

function toPriced({ blockTimeMs, mint, valuation }: PackedReceipt) {
  return { blockTime: new Date(blockTimeMs), mint, valuation };
}

/** The rows of one receipt after the other, so that a row is garbage as soon as it is written. */
function* unpack(
  page: readonly PackedReceipt[],
  o: Parameters<typeof unpackReceipt>[1],
): Generator<TransferRow> {
  for (const receipt of page) yield* unpackReceipt(receipt, o);
}
