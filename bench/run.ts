import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { setFaults } from '@/devnet/client/set-faults';
import { makeWallet } from '@/devnet/client/wallet';
import { buildApp } from '@/scripts/build-app';
import { ensureGenerated } from '@/scripts/ensure-generated';
import { isolatedEnv } from '@/scripts/isolated-env';
import { pickPorts } from '@/scripts/pick-ports';
import { runService } from '@/scripts/run-service';
import { FREE_IN_FLIGHT } from '@/server/jobs/mint-nft';
import { drawReceipt } from '@/server/receipts/draw-receipt';
import { makeFacts } from '@/server/receipts/facts.fixture';
import { measureBareMints } from './measure-bare-mints';
import { measureEmptyRuns } from './measure-empty-runs';
import { measurePayments } from './measure-payments';
import { measureDashboard } from './measure-dashboard';
import { measureExport } from './measure-export';
import { measureListing } from './measure-listing';
import { measureLoad } from './measure-load';
import { measureMillion } from './measure-million';
import { awaitAll, mintMany, payMany, rpcCalls, watchMemory } from './measure-receipts';
import { measureReading } from './measure-reading';
import { measureStatement } from './measure-statement';
import { line, median, print, timeAll, type Line } from './stats';

const RECEIPTS = 200;
/** As many mints as the job function of free receipts works on at once. */
const WIDTH = FREE_IN_FLIGHT;
/** Steps of a mint that meets no obstacle. */
const STEPS = 8;

const ms = (value: number) => `${value.toFixed(0)} ms`;

const PARTS = [
  'minting',
  'listing',
  'export',
  'dashboard',
  'reading',
  'statement',
  'load',
  'million',
] as const;

/**
 * `npm run bench`, or some parts of it as in `npm run bench -- listing export`: speed and size of the
 * service, each against what the same machine does in the same run with the bare parts. Limits are
 * those the project set itself; exits 1 when one is missed.
 */
async function main(): Promise<Line[]> {
  const chosen = new Set(z.array(z.enum(PARTS)).parse(process.argv.slice(2)));
  if (chosen.size === 0) for (const part of PARTS) chosen.add(part);
  ensureGenerated();
  await buildApp((text) => console.log(text));
  const place = mkdtempSync(join(tmpdir(), 'quittance-bench-'));
  chmodSync(place, 0o755);
  const begun = performance.now();
  const service = await runService({
    mode: 'start',
    env: {
      ...isolatedEnv(),
      ...(await pickPorts()),
      QUITTANCE_DATA_DIR: join(place, 'data'),
      DEVNET_SLOT_MS: '50',
      DEVNET_FINALITY_SLOTS: '2',
    },
    say: () => undefined,
    onFatal: (text) => console.error(text),
  });
  const readyMs = performance.now() - begun;
  try {
    const place = {
      baseUrl: service.baseUrl,
      rpcUrl: service.stack.settings.chain.url,
      databaseUrl: service.stack.appEnv['DATABASE_URL'] ?? '',
      pid: service.app.pid() ?? 0,
    };
    return [
      line('npm start, once built, until ready', ms(readyMs), 'at most 25 s', readyMs < 25_000),
      ...(chosen.has('minting') ? await measure(service) : []),
      ...(chosen.has('listing') ? await measureListing(place) : []),
      ...(chosen.has('export') ? await measureExport(place) : []),
      ...(chosen.has('dashboard') ? await measureDashboard(place.databaseUrl) : []),
      ...(chosen.has('reading') ? measureReading() : []),
      ...(chosen.has('statement') ? await measureStatement(place) : []),
      ...(chosen.has('load') ? await measureLoad(place) : []),
      ...(chosen.has('million') ? await measureMillion(place) : []),
    ];
  } finally {
    await service.close();
    rmSync(place, { recursive: true, force: true });
  }
}

async function measure(service: Awaited<ReturnType<typeof runService>>): Promise<Line[]> {
  const { settings, appEnv } = service.stack;
  const at = { baseUrl: service.baseUrl, rpcUrl: settings.chain.url };
  const payer = makeWallet();
  console.log('paying');
  const signatures = await payMany(at, payer, RECEIPTS + 60);
  const warm = signatures.splice(0, 20);
  const few = signatures.splice(0, 40);
  await awaitAll(at, (await mintMany(at, payer, warm, 5)).ids);

  await setFaults(settings.runner.url, { paused: true });
  await setFaults(at.rpcUrl, null);
  const asked = await mintMany(at, payer, few, 10);
  const calls = (await rpcCalls(at.rpcUrl)) / few.length;
  await setFaults(settings.runner.url, null);
  await awaitAll(at, asked.ids);

  console.log(`${RECEIPTS} receipts at once`);
  const memory = watchMemory(service.app.pid() ?? 0);
  const started = performance.now();
  const { ids } = await mintMany(at, payer, signatures, RECEIPTS);
  await awaitAll(at, ids);
  const allMs = performance.now() - started;
  const rss = memory.stop();

  console.log('payments');
  await setFaults(settings.runner.url, { paused: true });
  const payments = await measurePayments(at, calls);
  await setFaults(settings.runner.url, null);

  console.log('the bare parts');
  const facts = Array.from({ length: RECEIPTS }, (_, n) =>
    makeFacts({ amount: 10_000n + BigInt(n) }),
  );
  const drawing = await timeAll(facts, 1, async (one) => {
    await drawReceipt(one);
  });
  const issuer = z
    .object({ trees: z.array(z.object({ address: z.string() })) })
    .parse(await (await fetch(`${at.baseUrl}/.well-known/quittance.json`)).json());
  const bareMs = await measureBareMints({
    rpcUrl: at.rpcUrl,
    tree: issuer.trees[0]?.address ?? '',
    minterSecret: Uint8Array.from(
      z.array(z.number()).parse(JSON.parse(readFileSync(appEnv['MINTER_KEY_FILE'] ?? '', 'utf8'))),
    ),
    owner: payer.address,
    count: RECEIPTS,
    width: WIDTH,
  });
  const emptyMs = await measureEmptyRuns(
    (appEnv['DATABASE_URL'] ?? '').replace(/\/[^/]+$/, '/postgres'),
    STEPS - 1,
  );
  const sum = drawing.totalMs + bareMs + emptyMs;
  const ratio = allMs / sum;
  const answer = median(asked.eachMs);
  const draw = median(drawing.eachMs);
  return [
    line('RPC calls of a free POST /mint', calls.toFixed(2), 'at most 3', calls <= 3),
    line('free POST /mint, 10 in flight, median', ms(answer), 'under 300 ms', answer < 300),
    ...payments,
    line('drawing a receipt, median', ms(draw), 'under 150 ms', draw < 150),
    line(`${RECEIPTS} receipts at once, until completed`, ms(allMs)),
    line('  drawing the same number', ms(drawing.totalMs)),
    line(`  minting the same number, ${WIDTH} at once`, ms(bareMs)),
    line(`  the same number of empty runs of ${STEPS} steps`, ms(emptyMs)),
    line('  ratio to the sum of the three', ratio.toFixed(2), 'at most 1.5', ratio <= 1.5),
    line('app process, highest resident memory', `${rss.toFixed(0)} MB`, 'under 600 MB', rss < 600),
  ];
}

const lines = await main();
print(lines);
process.exit(lines.some(({ held }) => held === false) ? 1 : 0);
