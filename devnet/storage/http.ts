import type { IncomingMessage, ServerResponse } from 'node:http';

/** Ends a request with this status and text. */
export class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The whole body. Throws a {@link Refusal} when it is longer than `mostBytes`. */
export async function readBody(request: IncomingMessage, mostBytes: number): Promise<Buffer> {
  const tooLarge = new Refusal(413, `At most ${mostBytes} bytes are accepted in one request`);
  if (Number(request.headers['content-length'] ?? 0) > mostBytes) throw tooLarge;
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > mostBytes) throw tooLarge;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The body as JSON. Throws a {@link Refusal} when it is not JSON. */
export async function readJson(request: IncomingMessage, mostBytes: number): Promise<unknown> {
  const body = await readBody(request, mostBytes);
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new Refusal(400, 'The body is not JSON');
  }
}

export function answerText(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...headers });
  response.end(text);
}

export function answerJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(value));
}
