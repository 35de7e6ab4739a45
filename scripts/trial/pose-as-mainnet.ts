import { createServer, type Server } from 'node:http';
import { z } from 'zod';
import { GENESIS_HASH } from '@quittance/verify/network';

const call = z.object({ id: z.unknown(), method: z.string() });

/**
 * A node in front of the embedded chain that reports mainnet's genesis. The service then starts
 * like on a cluster: nothing embedded, two nodes of two providers. Everything else is forwarded
 * unchanged.
 */
export async function poseAsMainnet(o: { chainUrl: string; port: number }): Promise<Server> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      void answer(o.chainUrl, Buffer.concat(parts).toString()).then(
        ({ status, text }) => {
          response.writeHead(status, { 'content-type': 'application/json' });
          response.end(text);
        },
        (error: unknown) => {
          response.writeHead(502);
          response.end(String(error));
        },
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(o.port, '127.0.0.1', resolve));
  return server;
}

async function answer(chainUrl: string, body: string): Promise<{ status: number; text: string }> {
  const asked = call.safeParse(JSON.parse(body));
  if (asked.success && asked.data.method === 'getGenesisHash') {
    const { id } = asked.data;
    const text = JSON.stringify({ jsonrpc: '2.0', id, result: GENESIS_HASH.mainnet });
    return { status: 200, text };
  }
  const response = await fetch(chainUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  return { status: response.status, text: await response.text() };
}
