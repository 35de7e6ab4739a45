import { freePort } from '@/devnet/free-port';

/** Free ports for a whole service, as settings. */
export async function pickPorts(): Promise<Record<string, string>> {
  const names = [
    'PORT',
    'POSTGRES_PORT',
    'CHAIN_PORT',
    'STORAGE_PORT',
    'RUNNER_PORT',
    'RATES_PORT',
  ];
  const taken = new Set<number>();
  const ports: Record<string, string> = {};
  for (const name of names) {
    // The chain's WebSocket uses the next port, so the port after each one must be free.
    let port = await freePort(2);
    while (taken.has(port) || taken.has(port - 1) || taken.has(port + 1)) port = await freePort(2);
    taken.add(port);
    ports[name] = String(port);
  }
  return ports;
}
