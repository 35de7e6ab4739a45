import { subscribe } from 'node:diagnostics_channel';
import { Server, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { log } from '@/server/log';
import { beginDraining, beginStopping, isDraining } from '@/server/stopping';

/**
 * Requests under way have this long to end; then the process does. Nothing is lost by that, because all they do
 * is safe to repeat. Less than what scripts/run-service.ts waits, after the time to drain, before it kills.
 */
const GRACE_MS = 25_000;
const LOOK_MS = 50;

/**
 * At SIGTERM, reports at once that it is not ready, and still takes requests for `drainMs`, so that
 * load balancers notice and use others. Then, and at SIGINT at once, it takes no more connections,
 * lets requests under way end, and ends the process with code 0. Next.js has a stop of its own,
 * without a time limit, which NEXT_MANUAL_SIG_HANDLE turns off.
 */
export function stopOnRequest({ drainMs }: { drainMs: number }): void {
  const servers = new Set<Server>();
  const open = new Set<ServerResponse>();
  subscribe('http.server.request.start', (message) => {
    const server: unknown = Reflect.get(Object(message), 'server');
    const response: unknown = Reflect.get(Object(message), 'response');
    if (server instanceof Server) servers.add(server);
    if (!(response instanceof ServerResponse)) return;
    open.add(response);
    response.once('close', () => open.delete(response));
    // A client that keeps its connection must not keep the process alive.
    if (isDraining()) response.setHeader('connection', 'close');
  });
  let isAsked = false;
  // Stays registered: a supervisor may signal the whole group and the launcher again, and a signal without a
  // handler ends the process at once.
  const once = (work: () => Promise<void>) => () => {
    if (isAsked) return;
    isAsked = true;
    void work();
  };
  process.on(
    'SIGTERM',
    once(() => drain().then(() => stop('SIGTERM', servers, open))),
  );
  process.on(
    'SIGINT',
    once(() => stop('SIGINT', servers, open)),
  );

  async function drain(): Promise<void> {
    beginDraining();
    log().info({ event: 'draining', for_ms: drainMs });
    await sleep(drainMs);
  }
}

async function stop(
  signal: string,
  servers: ReadonlySet<Server>,
  open: ReadonlySet<ServerResponse>,
): Promise<void> {
  const begun = performance.now();
  beginStopping();
  for (const server of servers) server.close();
  for (const response of open) if (!response.headersSent) response.setHeader('connection', 'close');
  while (open.size > 0 && performance.now() - begun < GRACE_MS) {
    for (const server of servers) server.closeIdleConnections();
    await sleep(LOOK_MS);
  }
  log().info({
    event: 'stopped',
    signal,
    left: open.size,
    after_ms: Math.round(performance.now() - begun),
  });
  process.exit(0);
}
