import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import { IncomingMessage, ServerResponse } from 'node:http';
import { processWide } from '@/server/process-wide';

const answers = processWide('answers', () => new AsyncLocalStorage<ServerResponse>());

/** Paths of the pages that call {@link answerMissing}. No other request pays for being followed. */
const PAGES = /^\/[rs]\//;

/** Lets pages set the status of their response, from the first request on. */
export function followAnswers(): void {
  subscribe('http.server.request.start', (message) => {
    const request: unknown = Reflect.get(Object(message), 'request');
    const response: unknown = Reflect.get(Object(message), 'response');
    if (!(request instanceof IncomingMessage) || !PAGES.test(request.url ?? '')) return;
    if (response instanceof ServerResponse) answers().enterWith(response);
  });
}

/**
 * Sets the status of the page being rendered to 404. `notFound()` of Next.js sends a page without
 * text or language, which only scripts fill. A page that calls this is complete as sent.
 */
export function answerMissing(): void {
  const response = answers().getStore();
  if (response && !response.headersSent) response.statusCode = 404;
}
