import type { ServiceContext } from '@/server/context';
import type { TransferRow } from '@/server/receipts/transfer-row';
import { EXPORT_FORMATS } from './export-format';
import { pageReceipts, type Cursor, type PackedReceipt } from './page-receipts';
import { unpackReceipt } from './unpack-receipt';
import { rowValuer } from './value-rows';

/** Rows in memory at once: this many on their way out, and as many on their way in. */
const PAGE = 500;

export type ExportFormatName = keyof typeof EXPORT_FORMATS;
type ExportContext = Pick<ServiceContext, 'env' | 'db' | 'clock'>;
type Wish = { wallet: string; country: string; format: ExportFormatName };

/**
 * All receipts of a wallet, oldest first, as the pieces of a file. The head comes before any rate is
 * asked for. Throws before the first piece when the database does not answer or the country is
 * unsupported; a rate that is missing is said in its row.
 */
export async function exportReceipts(
  ctx: ExportContext,
  o: Wish,
): Promise<AsyncGenerator<string, void>> {
  const valuer = rowValuer(ctx, o.country);
  const load = (cursor: Cursor | null): Promise<PackedReceipt[]> => {
    const page = pageReceipts(ctx.db, { wallet: o.wallet, cursor, limit: PAGE });
    // Nobody waits for a page read ahead when the export is given up.
    page.catch(() => undefined);
    return page;
  };
  return write(o, { load, valuer, first: await load(null) });
}

async function* write(
  o: Wish,
  source: {
    load: (cursor: Cursor | null) => Promise<PackedReceipt[]>;
    valuer: ReturnType<typeof rowValuer>;
    first: PackedReceipt[];
  },
): AsyncGenerator<string, void> {
  const { load, valuer } = source;
  const country = o.country.toUpperCase();
  const format = EXPORT_FORMATS[o.format];
  const { head, between, foot } = format.frame({ wallet: o.wallet, country });
  yield head;
  let isFirst = true;
  let page = source.first;
  for (;;) {
    const last = page.at(-1);
    const isFull = page.length === PAGE;
    const next =
      last && isFull ? load({ blockTime: new Date(last.blockTimeMs), id: last.receiptId }) : null;
    await valuer.prepare(page.map(toPriced));
    const text = format.rows(unpack(page, { wallet: o.wallet, localOf: valuer.localOf }), country);
    // Old garbage that still names the page must not keep its rows, or young garbage grows old too.
    page.length = 0;
    if (text !== '') yield isFirst ? text : between + text;
    if (text !== '') isFirst = false;
    if (next === null) break;
    page = await next;
  }
  if (foot !== '') yield foot;
}

function toPriced({ blockTimeMs, mint, valuation }: PackedReceipt) {
  return { blockTime: new Date(blockTimeMs), mint, valuation };
}

/** One row after the other, so that a row is garbage as soon as it is written. */
function* unpack(
  page: readonly PackedReceipt[],
  o: Parameters<typeof unpackReceipt>[1],
): Generator<TransferRow> {
  for (const receipt of page) yield unpackReceipt(receipt, o);
}
