import { setTimeout as sleep } from 'node:timers/promises';
import { isNodeSilence } from '@quittance/verify/chain/rpc-errors';
import { env, SettingsError, type Env } from '@/server/env';
import { GENESIS_HASH } from '@/server/chain/genesis';
import { refuseRevokedKeys } from '@/server/admin/revoke-key';
import { locateAddress } from '@/server/jurisdiction/locate-address';
import { watchProbe } from '@/server/jobs/watch-probe';
import { openLimitStore } from '@/server/limit-store';
import { log } from '@/server/log';
import { noteCreatorKey } from '@/server/nft/note-creator-key';
import { watchPaidRoutes } from '@/server/payments/check-accounts';
import { forgetOldBudgets } from '@/server/receipts/free-budget';
import { noteStorageKey } from '@/server/storage/note-storage-key';
import type { Db } from '@/server/db/client';
import { zoneBesideUtc } from '@/server/db/database-time';
import { startClock } from '@/server/service-clock';
import { stampPeers } from './client-address';
import { screenRequests } from './screen-requests';
import { serviceContext } from './service-context';
import { stopOnRequest } from './stop-on-request';

const GENESIS_TRIES = 5;
const DAY_MS = 86_400_000;
/** `cluster_name` that devnet/postgres gives its server. */
const EMBEDDED_CLUSTER = 'quittance-embedded';

/**
 * What must hold before the first request: settings, the right cluster behind the RPC, our keys on
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
    await noteCreatorKey(db, settings.minter.publicKey, clock.now());
    await noteStorageKey(db, settings.storage.publicKey, clock.now());
    watchPaidRoutes();
    await openLimitStore();
    await watchProbe(db);
    stampPeers();
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

/** Counts of past days are of no use; a day on which nobody deletes them does no harm. */
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

/** The embedded stack's PostgreSQL names its cluster: test receipts must never get among real ones. */
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
