import type { Server } from 'node:http';

const ATTEMPTS = 20;

/**
 * Listens on a port of 127.0.0.1 and the one after it, where clients look for the WebSocket. Port 0 takes
 * any free pair.
 */
export async function listenPair(
  make: () => Server,
  port: number,
): Promise<{ port: number; servers: Server[] }> {
  for (let attempt = 1; ; attempt++) {
    const first = make();
    const second = make();
    try {
      const at = await listen(first, port);
      await listen(second, at + 1);
      return { port: at, servers: [first, second] };
    } catch (error) {
      first.close();
      second.close();
      if (port !== 0 || attempt >= ATTEMPTS) throw error;
    }
  }
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      const at = server.address();
      if (at === null || typeof at === 'string') reject(new Error('no port was given'));
      else resolve(at.port);
    });
  });
}
