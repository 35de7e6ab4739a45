import { createServer, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { z } from 'zod';

const callSchema = z.object({ method: z.string(), params: z.array(z.unknown()) });
const identified = callSchema.extend({ id: z.unknown() });
type Call = z.infer<typeof callSchema>;
/** A JSON-RPC result, or a function that writes the whole HTTP answer itself. */
export type Answer =
  { result: unknown } | { error: unknown } | ((response: ServerResponse) => void);

export type FakeNode = {
  url: string;
  calls: Call[];
  /** Replaces its answers from now on. */
  answer: (call: Call) => Answer;
  close(): Promise<void>;
};

/** A node that speaks JSON-RPC over HTTP, batches included, with answers that the test chooses. */
export async function startFakeNode(answer: (call: Call) => Answer): Promise<FakeNode> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
      const asked = z.array(identified).parse(Array.isArray(body) ? body : [body]);
      const said = asked.map(({ id, ...call }) => {
        node.calls.push(call);
        return { id, answer: node.answer(call) };
      });
      const written = said.map(({ answer }) => answer).find((one) => typeof one === 'function');
      if (written) return written(response);
      const answers = said.map(({ id, answer }) => ({ jsonrpc: '2.0', id, ...answer }));
      response.end(JSON.stringify(Array.isArray(body) ? answers : answers[0]));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = z.object({ port: z.number() }).parse(server.address());
  const node: FakeNode = {
    url: `http://127.0.0.1:${port}/?api-key=secret`,
    calls: [],
    answer,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return node;
}

/** A node for the test that is running, closed when it ends. */
export async function nodeOfTest(answer: FakeNode['answer']): Promise<FakeNode> {
  const node = await startFakeNode(answer);
  onTestFinished(() => node.close());
  return node;
}

/** An answer with this HTTP status and no JSON-RPC in it. */
export function httpStatus(status: number, headers: Record<string, string> = {}): Answer {
  return (response) => response.writeHead(status, headers).end('<html>sorry</html>');
}

/** Closes the connection without an answer. */
export const silence: Answer = () => undefined;
