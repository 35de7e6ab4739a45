import { toServiceError } from '@/server/api/trpc';
import { randomIds } from '@/server/ids';
import { readText } from './read-json';
import { refusal } from './respond';

type Handler = (request: Request) => Promise<Response>;

/**
 * Puts a limit on the body before a library reads it whole: past `maxBytes` the answer is the same 413
 * as on REST paths. The handler gets a request with the bytes that were read.
 */
export function limitBody(maxBytes: number, handler: Handler): Handler {
  return async (request) => {
    if (!request.body) return handler(request);
    try {
      const body = await readText(request, maxBytes);
      return await handler(
        new Request(request.url, { method: request.method, headers: request.headers, body }),
      );
    } catch (error) {
      return refusal(toServiceError(error), randomIds.requestId());
    }
  };
}
