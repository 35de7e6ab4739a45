import { callOf, type RequestContext } from '@/server/api/request-context';
import { findReceipt } from '@/server/receipts/find-receipt';
import { findStatement } from '@/server/statements/find-statement';
import { lastInstant } from '@/server/statements/frozen-list';
import { chargeClient } from '@/server/use-cases/charge-limits';
import { COMMON_HEADERS } from '../respond';
import { drawPreview, type Preview } from './draw-preview';
import { PAGE_PREVIEWS, receiptPreview, statementPreview } from './previews';

/** The mint of what is previewed may get on: link services ask again after this. */
const CHANGING = { 'Cache-Control': 'public, max-age=300' };
const LASTING = { 'Cache-Control': 'public, max-age=86400' };

/** The image for links to a receipt, 1200 by 630. It is drawn for each request and not kept. */
export async function serveReceiptPreview(ctx: RequestContext, id: string): Promise<Response> {
  await chargeClient(callOf(ctx, null), 'reads');
  const { env, db } = ctx.service;
  const { receipt, mint } = await findReceipt(db, id);
  const preview = receiptPreview({
    network: env.network,
    id: receipt.id,
    amount: receipt.amountRaw,
    decimals: receipt.decimals,
    token: receipt.token,
    blockTime: receipt.blockTime,
    status: mint.status,
  });
  return imageResponse(await drawPreview(preview), CHANGING);
}

/** The image for links to a statement, 1200 by 630. */
export async function serveStatementPreview(ctx: RequestContext, id: string): Promise<Response> {
  await chargeClient(callOf(ctx, null), 'reads');
  const { env, db } = ctx.service;
  const { statement, mint } = await findStatement(db, id);
  const { periodStart: from, periodEnd: until } = statement;
  const preview = statementPreview({
    network: env.network,
    id: statement.id,
    totalMicros: statement.totalUsdMicros,
    count: statement.txCount,
    period: from && until ? { first: from, last: lastInstant({ from, until }) } : null,
    createdAt: statement.createdAt,
    status: mint.status,
  });
  return imageResponse(await drawPreview(preview), CHANGING);
}

const drawn = new Map<Preview, Promise<Uint8Array>>();

/** The image for links to a page that is the same for everybody; drawn once a process. */
export async function servePagePreview(page: keyof typeof PAGE_PREVIEWS): Promise<Response> {
  const preview = PAGE_PREVIEWS[page];
  const png = drawn.get(preview) ?? drawPreview(preview);
  drawn.set(preview, png);
  // A failed drawing is tried again.
  png.catch(() => drawn.delete(preview));
  return imageResponse(await png, LASTING);
}

function imageResponse(png: Uint8Array, caching: Record<string, string>): Response {
  return new Response(Buffer.from(png), {
    headers: { ...COMMON_HEADERS, ...caching, 'Content-Type': 'image/png' },
  });
}
