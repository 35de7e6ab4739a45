import { createCaller } from '@/server/api/app-router';
import type { CsvInput } from '@/server/api/dashboard-schemas';
import { requestContext } from '@/server/api/request-context';
import { toServiceError } from '@/server/api/trpc';
import type { ServiceError } from '@/server/errors';
import { trusted } from '@/server/trusted';
import { privateAnswer } from './private-answer';
import { refusal } from './respond';
import { streamText } from './stream-text';
import { writeRequestEvent } from './write-event';

/** The CSV of whoever is signed in: a door of its own, as a cookie counts here and on no REST path. */
export async function serveDashboardCsv(request: Request): Promise<Response> {
  const started = performance.now();
  const { method, headers, url } = request;
  const ctx = requestContext(headers, { method, setCookie: () => undefined });
  let failure: ServiceError | null = null;
  let response: Response;
  try {
    const query = Object.fromEntries(new URL(url).searchParams);
    const input = trusted<CsvInput>(query, 'the procedure parses its input');
    response = streamText(await createCaller(ctx).dashboard.csv(input), {
      contentType: 'text/csv; charset=utf-8; header=present',
      fileName: `dashboard-${query['role'] === 'payer' ? 'paid' : 'received'}.csv`,
      requestId: ctx.requestId,
    });
  } catch (error) {
    failure = toServiceError(error);
    response = refusal(failure, ctx.requestId);
  }
  writeRequestEvent({
    requestId: ctx.requestId,
    route: '/dashboard/receipts.csv',
    method,
    status: response.status,
    durationMs: performance.now() - started,
    failure,
  });
  return privateAnswer(response);
}
