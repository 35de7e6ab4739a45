import { subscribe } from 'node:diagnostics_channel';
import { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { isNodeSilence } from '@quittance/verify/chain/rpc-errors';
import { refuseRevokedKeys } from '@/server/admin/revoke-key';
import { stampPeers } from '@/server/api/client-address';
import { followAnswers } from '@/server/api/page-status';
import { GENESIS_HASH } from '@quittance/verify/network';
import type { Db } from '@/server/db/client';
import { zoneBesideUtc } from '@/server/db/database-clock';
import { env, type Env, SettingsError } from '@/server/env';
import { watchProbe } from '@/server/job-server/send-events';
import { locateAddress } from '@/server/jurisdiction/locate-address';
import { openLimitStore } from '@/server/limit-store';
import { log } from '@/server/log';
import { watchPaidRoutes } from '@/server/payments/check-accounts';
import { forgetOldBudgets } from '@/server/receipts/free-budget';
import { EMBEDDED_CLUSTER } from '@/server/keys';
import { startClock } from '@/server/service-clock';
import { noteIssuerKey } from '@/server/storage/issuer-keys';
import { serviceContext } from '@/server/use-cases/service';
import { stopOnRequest } from './stop-on-request';

const GENESIS_TRIES = 5;
const DAY_MS = 86_400_000;

/**
 * Conditions before the first request: settings, the right cluster behind the RPC, our keys on
 * record. Ends the process with one clear line for each fault.
 */
export async function startService(): Promise<void> {
  try {
    const settings = env();
    stopOnRequest(settings);
    if (settings.tracesEndpoint !== null) {
      const { startTracing } = await import('@/server/start-tracing');
      startTracing({ ...settings, endpoint: settings.tracesEndpoint });
    }
    await checkCluster(settings);
    const { db, clock } = serviceContext();
    await startClock();
    await refuseEmbeddedDatabase(settings, db);
    await refuseOtherZone(db);
    await refuseRevokedKeys(db, settings);
    const now = clock.now();
    await noteIssuerKey(db, { kind: 'creator', publicKey: settings.minter.publicKey, now });
    await noteIssuerKey(db, { kind: 'storage', publicKey: settings.storage.publicKey, now });
    watchPaidRoutes();
    await openLimitStore();
    await watchProbe(db);
    stampPeers();
    followAnswers();
    if (!(await locateAddress('', settings.ipCountryDatabase)))
      log().error({ event: 'ip_country_database_unreadable', file: settings.ipCountryDatabase });
    screenRequests();
    forgetBudgetsDaily();
    if (settings.network === 'local')
      log().warn({ event: 'test_chain', text: 'TEST CHAIN: these receipts are not real' });
  } catch (error) {
    process.stderr.write(`${startFault(error)}\n`);
    process.exit(1);
  }
}

/** Counts of past days are not needed. A day without this deletion does no harm. */
function forgetBudgetsDaily(): void {
  const forget = (): void => {
    const { db, clock } = serviceContext();
    forgetOldBudgets(db, clock.now()).catch((error: unknown) =>
      log().warn({ event: 'budgets_not_forgotten', err: error }),
    );
  };
  setInterval(forget, DAY_MS).unref();
  forget();
}

async function checkCluster(settings: Env): Promise<void> {
  if (settings.network === 'local') return;
  const expected = GENESIS_HASH[settings.network];
  for (let attempt = 1; ; attempt += 1) {
    try {
      const seen = await serviceContext().rpc.getGenesisHash();
      if (seen === expected) return;
      throw new SettingsError([
        `SOLANA_RPC_URLS must lead to ${settings.network}: genesis hash ${expected}, not ${seen}`,
      ]);
    } catch (error) {
      if (!isNodeSilence(error) || attempt === GENESIS_TRIES) throw error;
      await sleep(2_000);
    }
  }
}

/** The PostgreSQL of the embedded stack names its cluster, so that test receipts never get among real ones. */
async function refuseEmbeddedDatabase(settings: Env, db: Db): Promise<void> {
  if (settings.network === 'local') return;
  const [cluster] = await db.$queryRaw<{ cluster_name: string }[]>`show cluster_name`;
  if (cluster?.cluster_name === EMBEDDED_CLUSTER)
    throw new SettingsError([
      `DATABASE_URL is the embedded stack's database, which is refused on ${settings.network}`,
    ]);
}

/** In another zone every time read from the database would be hours off. */
async function refuseOtherZone(db: Db): Promise<void> {
  const zone = await zoneBesideUtc(db);
  if (zone !== null)
    throw new SettingsError([
      `DATABASE_URL leads to sessions in the time zone ${zone}, and they must be in UTC: run alter role <user> set timezone to 'UTC'`,
    ]);
}

function startFault(error: unknown): string {
  if (error instanceof SettingsError) return error.message;
  if (isNodeSilence(error))
    return 'The start stopped: no node of SOLANA_RPC_URLS answers, so the cluster cannot be checked.';
  return `The start stopped: ${error instanceof Error ? error.message : String(error)}`;
}

const METHODS: ReadonlySet<string> = new Set([
  ...['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
]);

/** Target of requests for which Next.js would send its own error page: see app/bad-request. */
const BAD_REQUEST = {
  path: '/bad-request/path',
  method: '/bad-request/method',
  nothing: '/bad-request/nothing',
} as const;
/** An escape of a letter, a digit, `-`, `_` or `~`. No honest client writes one. */
const NEEDLESS_ESCAPE = /%(2d|3[0-9]|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9ae])/i;

/**
 * Redirects, before anything else, requests that Next.js answers with a plain 500 or an empty page.
 * They have a path that cannot be decoded, or a method that no route has. They get an error body
 * like any other.
 */
function screenRequests(): void {
  subscribe('http.server.request.start', (message) => {
    const request: unknown = Reflect.get(Object(message), 'request');
    if (!(request instanceof IncomingMessage)) return;
    const target = targetOf(request.method ?? '', request.url ?? '');
    if (target !== null) {
      request.url = target;
      // If nobody read the body, the connection could not be used again.
      request.method = 'GET';
      return;
    }
    const response: unknown = Reflect.get(Object(message), 'response');
    if (response instanceof ServerResponse) openRedirect(request, response);
  });
}

/**
 * Next.js redirects a path with a slash too many, without our headers. A page of another site may
 * follow that like any answer. But a browser follows no redirect of the preflight request
 * (OPTIONS), so OPTIONS is answered for the right path at once.
 */
function openRedirect(request: IncomingMessage, response: ServerResponse): void {
  const straight = straightPath(request.url ?? '');
  if (straight === null) return;
  if (request.method === 'OPTIONS') request.url = straight;
  else response.setHeader('Access-Control-Allow-Origin', '*');
}

/** The path without the extra slash; null if it has none. */
export function straightPath(url: string): string | null {
  const [path = '', ...query] = url.split('?');
  const straight = path.replace(/[/\\]{2,}|\\/g, '/').replace(/(?<=.)\/$/, '');
  return straight === path ? null : [straight, ...query].join('?');
}

/** Where a request must go instead, or null if it may continue. */
export function targetOf(method: string, url: string): string | null {
  if (!METHODS.has(method)) return BAD_REQUEST.method;
  if (!isPath(url)) return BAD_REQUEST.path;
  // Next.js takes `/%6dint` for a page that it lacks, and what guards `/admin` before us may not know `/%61dmin`.
  return NEEDLESS_ESCAPE.test(url.split('?', 1)[0] ?? '') ? BAD_REQUEST.nothing : null;
}

function isPath(url: string): boolean {
  // An absolute form or an asterisk is for proxies and servers, not for a site.
  if (!url.startsWith('/')) return false;
  try {
    decodeURIComponent(url.split('?', 1)[0] ?? '');
    return true;
  } catch {
    return false;
  }
}
