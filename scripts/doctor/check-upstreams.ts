import { Client } from 'pg';
import { pendingMigrations } from '@/prisma/migrate';
import { chainAheadMs } from '@/server/chain/chain-order';
import { GENESIS_HASH } from '@quittance/verify/network';
import { createRpc } from '@/server/chain/rpc';
import { db } from '@/server/db/client';
import { zoneBesideUtc } from '@/server/db/database-clock';
import { limitStoreState, openLimitStore } from '@/server/limit-store';
import type { Env } from '@/server/env';
import { awaitProbe, probeState } from '@/server/admin/job-probe';
import { sendOnce } from '@/server/job-server/send-events';
import { providerOf } from '@/server/ip-address';
import { toDecimal } from '@quittance/verify/money';
import { describeSkew, skewFault } from '@/server/payments/check-accounts';
import { askBlend, askDailyCandles, askDatedFiles, askEcb } from '@/server/rates/ask-sources';
import { addDays, dayOf } from '@/server/clock';
import type { Published, RateQuestion } from '@/server/rates/fetch-exact';
import { startClock } from '@/server/service-clock';
import { storagePrice } from '@/server/storage/request-storage';
import { isEmbeddedDatabase } from '../refuse-embedded-database';
import { MIGRATIONS } from '@/prisma/migrate';
import { countConnections } from './count-connections';
import { maskUrl } from './describe-settings';
import { runCheck, type Finding } from './finding';

/** Size up to which an item is free on Irys. */
const FREE_BYTES = 100 * 1024;

/** Database, each RPC node, storage and job server. */
export async function checkUpstreams(env: Env): Promise<Finding[]> {
  const nodes = env.rpcUrls.map((url) =>
    runCheck(`node ${maskUrl(url)}`, () => checkNode(env, url)),
  );
  return Promise.all([
    runCheck('database', () => checkDatabase(env)),
    runCheck('connections', () => checkConnections(env)),
    runCheck('clock', () => checkClocks(env)),
    ...(env.redisUrl === null ? [] : [runCheck('redis', checkLimitStore)]),
    ...nodes,
    runCheck('node providers', async () => describeProviders(env)),
    ...env.rpcUrls.map((url) => runCheck(`blocks of ${maskUrl(url)}`, () => checkBlocks(env, url))),
    runCheck('storage', () => checkStorage(env)),
    runCheck('gateway', async () => `answers ${await statusOf(env.storageGatewayUrl)}`),
    runCheck('job server', () => checkJobs(env)),
    ...checkRates(env),
  ]);
}

async function checkLimitStore(): Promise<string> {
  await openLimitStore();
  const { ok, detail } = await limitStoreState();
  if (!ok) throw new Error(`${detail}: paid routes and free receipts answer 503`);
  return detail;
}

/** Each source is asked for a day that it must have. */
function checkRates({ rates }: Env): Promise<Finding>[] {
  const today = dayOf(new Date());
  const day = addDays(today, -3);
  const check = (
    name: string,
    ask: (q: RateQuestion) => Promise<Published | null>,
    o: { url: string; quote: string },
  ) =>
    runCheck(name, async () => {
      const answer = await ask({ ...o, day, today });
      if (answer === null) throw new Error(`has no ${o.quote} rate for ${day}`);
      return `${answer.base}/${o.quote} ${answer.rate} (USD ${answer.usdRate}) of ${answer.publishedOn}`;
    });
  return [
    check('rates', askEcb, { url: rates.url, quote: 'GBP' }),
    check('rates, second source', askBlend, { url: rates.url, quote: 'GBP' }),
    check('rates, third source', askDatedFiles, { url: rates.datedUrl, quote: 'GBP' }),
    check('price of SOL', askDailyCandles, { url: rates.solUrl, quote: 'SOL' }),
  ];
}

async function checkDatabase(env: Env): Promise<string> {
  const client = new Client({
    connectionString: env.databaseUrl,
    connectionTimeoutMillis: 5_000,
  });
  await client.connect();
  const { rows } = await client
    .query<{ server_version: string }>('show server_version')
    .finally(() => client.end());
  if (env.network !== 'local' && (await isEmbeddedDatabase(env.databaseUrl)))
    throw new Error('is the embedded PostgreSQL, which serves NETWORK=local only');
  const pending = await pendingMigrations({ databaseUrl: env.databaseUrl, dir: MIGRATIONS });
  const state = pending.length === 0 ? 'up to date' : `${pending.length} migrations to apply`;
  return `PostgreSQL ${rows[0]?.server_version ?? '?'}, ${state}`;
}

async function checkConnections({ databasePool }: Env): Promise<string> {
  const [row] = await db().$queryRaw<{ most: number; reserved: number }[]>`
    select current_setting('max_connections')::int as most,
      current_setting('superuser_reserved_connections')::int as reserved`;
  if (!row) throw new Error('the server does not say how many it accepts');
  return countConnections({ ...row, databasePool });
}

/**
 * The clocks of this machine and of the chain, compared with the database's, which decides
 * everything.
 */
async function checkClocks(env: Env): Promise<string> {
  const zone = await zoneBesideUtc(db());
  if (zone !== null) throw new Error(`sessions of the database are in ${zone} and must be in UTC`);
  const clock = await startClock({ patienceMs: 0 });
  const rpc = createRpc({ urls: env.rpcUrls, timeoutMs: env.rpcTimeoutMs });
  const chainMs = await chainAheadMs({ rpc, clock }).catch(() => null);
  const skew = { machineMs: clock.systemAheadMs(), chainMs };
  const fault = skewFault(skew);
  if (fault !== null) throw new Error(`${fault}: sales stop beyond 30 s`);
  return describeSkew(skew);
}

async function checkNode(env: Env, url: string): Promise<string> {
  const node = createRpc({ urls: [url], timeoutMs: env.rpcTimeoutMs });
  const started = performance.now();
  const slot = await node.getSlot('confirmed');
  const took = Math.round(performance.now() - started);
  if (env.network !== 'local') {
    const genesis = await node.getGenesisHash();
    if (genesis !== GENESIS_HASH[env.network])
      throw new Error(`does not lead to ${env.network}: its genesis hash is ${genesis}`);
  }
  return `slot ${slot} in ${took} ms`;
}

/**
 * An expiry counts only when two nodes prove it. `parseEnv` refuses fewer nodes except on `local`.
 */
function describeProviders({ rpcUrls }: Env): string {
  const providers = [...new Set(rpcUrls.map(providerOf))];
  if (providers.length > 1) return `${providers.join(', ')}: two nodes can agree`;
  return `${providers.join(', ')} alone, which is enough on local: nothing is checked by a second node`;
}

/**
 * How many blocks back a node must serve: longer than the window in which a transaction can land.
 */
const BLOCKS_BACK = 400n;
/** Slots that may all have been skipped. */
const SLOTS_TRIED = 16n;

async function checkBlocks(env: Env, url: string): Promise<string> {
  const node = createRpc({ urls: [url], timeoutMs: env.rpcTimeoutMs });
  const tip = await node.getFinalizedTip();
  const first = tip.slot - BLOCKS_BACK;
  for (let slot = first; slot < first + SLOTS_TRIED; slot += 1n)
    if (await node.getBlock(slot)) return `getBlock serves slot ${slot}`;
  throw new Error(
    'getBlock serves no block from some minutes ago, so the node cannot prove an expiry',
  );
}

/** A process that is busy or just started answers an event within this time. */
const PROBE_PATIENCE_MS = 30_000;

/** Sends an event. If a process runs that it can reach, waits for its arrival there. */
async function checkJobs(env: Env): Promise<string> {
  const status = await statusOf(env.jobsUrl);
  const pending = await pendingMigrations({ databaseUrl: env.databaseUrl, dir: MIGRATIONS });
  // Before the first start there is no table, and no process that the event could reach.
  if (pending.length > 0) return `answers ${status}`;
  const send = () =>
    sendOnce().catch(() => {
      throw new Error('takes no event: see INNGEST_EVENT_KEY');
    });
  const probed = await awaitProbe(db(), { send, patienceMs: PROBE_PATIENCE_MS });
  const { fault } = await probeState(db());
  if (fault !== null) throw new Error(fault);
  return probed === 'nobody'
    ? `answers ${status}, takes events; no process of the service runs, so the event cannot arrive`
    : `answers ${status}, and an event arrived`;
}

async function checkStorage(env: Env): Promise<string> {
  const price = await storagePrice({ uploadUrl: env.storageUploadUrl, bytes: FREE_BYTES });
  return `100 KiB cost ${toDecimal(price, 9)} SOL (smaller items are free on Irys)`;
}

async function statusOf(url: string): Promise<number> {
  const response = await fetch(url, { signal: AbortSignal.timeout(5_000), redirect: 'manual' });
  if (response.status >= 500) throw new Error(`answers ${response.status}`);
  return response.status;
}
