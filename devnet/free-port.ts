import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the range from which systems give ports to outgoing connections (Linux from 32768, others from
 * 49152): a port that is free now is still free when its server starts.
 */
const [LOWEST, HIGHEST] = [20_000, 32_000];

/** A TCP port of 127.0.0.1 that nothing listens on; with `span`, the next ones are free as well. */
export async function freePort(span = 1): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST);
    const wanted = Array.from({ length: span }, (_, i) => isPortFree(port + i));
    if (!(await Promise.all(wanted)).includes(false)) return port;
  }
}

/** Whether nothing listens on a port of 127.0.0.1. */
export async function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
