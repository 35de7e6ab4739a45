import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:net';

/**
 * Below the ports that systems use for outgoing connections (Linux from 32768, others from 49152).
 * A port that is free now is still free when its server starts.
 */
const [LOWEST, HIGHEST] = [20_000, 26_000];
/**
 * A process that picks a port reserves it by listening on the port this much higher until its
 * server has started. Two processes that pick at once never pick the same.
 */
const GUARD_DISTANCE = 6_000;
const GUARDED_MS = 600_000;

/**
 * A TCP port of 127.0.0.1 on which no process listens. With `span`, the next ones are free as well.
 */
export async function freePort(span = 1): Promise<number> {
  for (;;) {
    const first = randomInt(LOWEST, HIGHEST - span);
    const ports = Array.from({ length: span }, (_, i) => first + i);
    const guards = await Promise.all(ports.map((port) => listen(port + GUARD_DISTANCE)));
    const free = await Promise.all(ports.map(isPortFree));
    const isOurs = !guards.includes(null) && !free.includes(false);
    for (const guard of guards) if (guard) endAfter(guard, isOurs ? GUARDED_MS : 0);
    if (isOurs) return first;
  }
}

/** Whether a port of 127.0.0.1 is free. */
export async function isPortFree(port: number): Promise<boolean> {
  const server = await listen(port);
  if (!server) return false;
  return new Promise((resolve) => server.close(() => resolve(true)));
}

async function listen(port: number): Promise<Server | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(null));
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

function endAfter(server: Server, ms: number): void {
  server.unref();
  if (ms === 0) server.close();
  else setTimeout(() => server.close(), ms).unref();
}
