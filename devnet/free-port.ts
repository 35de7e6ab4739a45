import { createServer } from 'node:net';

/** A TCP port of 127.0.0.1 that nothing listens on now; with `span`, the next ones are free as well. */
export async function freePort(span = 1): Promise<number> {
  for (;;) {
    const port = await listenOnce(0);
    const rest = Array.from({ length: span - 1 }, (_, i) => isPortFree(port + 1 + i));
    if (!(await Promise.all(rest)).includes(false)) return port;
  }
}

/** Whether nothing listens on a port of 127.0.0.1. */
export async function isPortFree(port: number): Promise<boolean> {
  return listenOnce(port).then(
    () => true,
    () => false,
  );
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
