import { createServer } from 'node:net';

/** A TCP port of 127.0.0.1 that nothing listens on now; with `span`, the next ones are free as well. */
export async function freePort(span = 1): Promise<number> {
  for (;;) {
    const port = await listenOnce(0);
    const rest = Array.from({ length: span - 1 }, (_, i) => port + 1 + i);
    const free = await Promise.all(rest.map((next) => listenOnce(next).catch(() => null)));
    if (port !== null && !free.includes(null)) return port;
  }
}

function listenOnce(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : port));
    });
  });
}
