import type { ServiceContext } from '@/server/context';
import { EXPORT_FORMATS } from './export-format';
import { pageReceipts, type Cursor, type ReceiptRow } from './page-receipts';
import { rowValuer } from './value-rows';

/** Rows in memory at once: this many on their way out, and as many on their way in. */
const PAGE = 1_000;

export type ExportFormatName = keyof typeof EXPORT_FORMATS;
type ExportContext = Pick<ServiceContext, 'env' | 'db' | 'clock'>;

/**
 * All receipts of a wallet, oldest first, as the pieces of a file. The head comes before any rate is
 * asked for. Throws before the first piece when the database does not answer or the country is
 * unsupported; a rate that is missing is said in its row.
 */
export async function exportReceipts(
  ctx: ExportContext,
  o: { wallet: string; country: string; format: ExportFormatName },
): Promise<AsyncGenerator<string, void>> {
  const value = rowValuer(ctx, o.country);
  const load = (cursor: Cursor | null): Promise<ReceiptRow[]> => {
    const page = pageReceipts(ctx.db, { wallet: o.wallet, cursor, limit: PAGE });
    // Nobody waits for a page read ahead when the export is given up.
    page.catch(() => undefined);
    return page;
  };
  return write(o, { load, value, first: await load(null) });
}

async function* write(
  o: { wallet: string; country: string; format: ExportFormatName },
  source: {
    load: (cursor: Cursor | null) => Promise<ReceiptRow[]>;
    value: ReturnType<typeof rowValuer>;
    first: ReceiptRow[];
  },
): AsyncGenerator<string, void> {
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
      last && isFull ? source.load({ blockTime: last.blockTime, id: last.receiptId }) : null;
    const rows = format.rows(await source.value(page), country);
    if (rows.length > 0) yield (isFirst ? '' : between) + rows.join(between);
    if (rows.length > 0) isFirst = false;
    if (next === null) break;
    page = await next;
  }
  if (foot !== '') yield foot;
}
