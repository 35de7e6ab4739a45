import { log } from '@/server/log';
import { COMMON_HEADERS } from './respond';

/**
 * A 200 with a streamed body, as fast as the client reads. A piece is requested when the one before
 * it was sent, and none after the client has left. If a piece fails, the connection is cut, so that
 * half a file never looks like a whole one.
 */
export function streamText(
  pieces: AsyncGenerator<string, void>,
  o: { contentType: string; fileName: string; requestId: string },
): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const { done, value } = await pieces.next();
          if (done) controller.close();
          else controller.enqueue(encoder.encode(value));
        } catch (error) {
          log().error({ event: 'stream_broken', request_id: o.requestId, err: error });
          controller.error(error);
        }
      },
      cancel: async () => {
        await pieces.return();
      },
    },
    { highWaterMark: 1 },
  );
  return new Response(body, {
    headers: {
      ...COMMON_HEADERS,
      'Content-Type': o.contentType,
      'Content-Disposition': `attachment; filename="${o.fileName}"`,
    },
  });
}
