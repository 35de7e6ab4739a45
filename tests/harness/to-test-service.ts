import type { PrismaClient } from '@/generated/prisma/client';
import { setFaults } from '@/devnet/client/set-faults';
import type { Part } from '@/devnet/stack-part';
import type { Service } from '@/scripts/run-service';

/** A process of the service under test. */
export type Handle = {
  /** Ends it like a crash. Nothing restarts it. */
  kill(): Promise<void>;
  /** Restarts it on the same port and state, and returns when it is ready. */
  start(): Promise<void>;
  pid(): number | null;
  logFile: string | null;
};

export type TestService = {
  baseUrl: string;
  rpcUrl: string;
  storageUrl: string;
  runnerUrl: string;
  ratesUrl: string;
  databaseUrl: string;
  prisma: PrismaClient;
  /** Settings of the app, for scripts and modules that work beside it. */
  appEnv: Record<string, string>;
  app: Handle;
  chain: Handle;
  storage: Handle;
  runner: Handle;
  rates: Handle;
  /** Sets fault switches of a part. `null` clears them. */
  fault(part: 'chain' | 'storage' | 'runner' | 'rates', switches: object | null): Promise<void>;
  /** Output of the launcher since the start. */
  said: readonly string[];
  close(): Promise<void>;
};

/** A running service with the controls that tests need. All its parts must be embedded. */
export function toTestService(
  service: Service,
  o: Pick<TestService, 'databaseUrl' | 'prisma' | 'said' | 'close'>,
): TestService {
  const { settings, parts, appEnv } = service.stack;
  const urls = {
    chain: settings.chain.url,
    storage: settings.storage.url,
    runner: settings.runner.url,
    rates: settings.rates.url,
  };
  return {
    baseUrl: service.baseUrl,
    rpcUrl: urls.chain,
    storageUrl: urls.storage,
    runnerUrl: urls.runner,
    ratesUrl: urls.rates,
    databaseUrl: o.databaseUrl,
    prisma: o.prisma,
    appEnv,
    app: handle(service.app),
    chain: handle(parts.chain),
    storage: handle(parts.storage),
    runner: handle(parts.runner),
    rates: handle(parts.rates),
    fault: (part, switches) => setFaults(urls[part], switches),
    said: o.said,
    close: o.close,
  };
}

function handle(part: Part | undefined): Handle {
  if (!part) throw new Error('a part that the settings bring has no process here');
  const { kill, start, pid, logFile } = part;
  return { kill, start, pid, logFile };
}
