import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { setFaults } from '@/devnet/client/set-faults';
import { makeWallet } from '@/devnet/client/wallet';
import type { runService } from '@/scripts/run-service';
import { FREE_IN_FLIGHT } from '@/server/jobs/mint-nft';
import { drawReceipt } from '@/server/receipts/draw-receipt';
import { makeFacts } from '@/server/receipts/facts.fixture';
import { awaitMints } from './await-mints';
import { measureBareMints } from './measure-bare-mints';
import { measureEmptyRuns } from './measure-empty-runs';
import { measurePayments } from './measure-payments';
import {
  awaitAll,
  mintMany,
  payMany,
  rpcCalls,
  watchMemory,
  type Reachable,
} from './measure-receipts';
import { line, median, timeAll, type Line } from './stats';

const RECEIPTS = 200;
/** Receipts that warm the process up, and requests that are timed. */
const FEW = 60;
/** As many mints as the job function of free receipts works on at once. */
const WIDTH = FREE_IN_FLIGHT;
/**
 * Longest time for an answer to POST /mint, without the drawing. The drawing's time depends on the
 * labels' scripts.
 */
const MOST_BESIDE_DRAWING_MS = 150;
/** Steps of a mint without obstacles. */
const STEPS = 8;

const ms = (value: number) => `${value.toFixed(0)} ms`;

type Service = Awaited<ReturnType<typeof runService>>;

/**
 * Free receipts. Measures how long 200 at once take until they are minted, against the sum of their
 * parts. Measures time and cost of a request after some hundred others, because V8 optimises half
 * of the code only after the first hundred.
 */
export async function measureMinting({ baseUrl, stack, app }: Service): Promise<Line[]> {
  const { settings, appEnv } = stack;
  const at = { baseUrl, rpcUrl: settings.chain.url };
  const databaseUrl = appEnv['DATABASE_URL'] ?? '';
  const payer = makeWallet();
  console.log('paying');
  const signatures = await payMany(at, payer, RECEIPTS + 2 * FEW);
  const [warm, few] = [signatures.splice(0, FEW), signatures.splice(0, FEW)];
  const { ids: warmed } = await mintMany(at, payer, warm, 10);
  await awaitMints(databaseUrl, warmed, 'closed');
  // Before and after: the speed of a machine drifts within minutes.
  const before = await measureBareParts(at, appEnv, payer.address);
  console.log(`${RECEIPTS} receipts at once`);
  const memory = watchMemory(app.pid() ?? 0);
  const started = performance.now();
  const { ids, unavailable } = await mintMany(at, payer, signatures, RECEIPTS);
  await awaitMints(databaseUrl, ids, 'completed');
  const allMs = performance.now() - started;
  const rss = memory.stop();

  await setFaults(settings.runner.url, { paused: true });
  await setFaults(at.rpcUrl, null);
  const asked = await mintMany(at, payer, few, 10);
  const calls = (await rpcCalls(at.rpcUrl)) / few.length;
  console.log('payments');
  const payments = await measurePayments(at, calls);
  await setFaults(settings.runner.url, null);
  await awaitAll(at, asked.ids);

  const after = await measureBareParts(at, appEnv, payer.address);
  const mean = (part: 'drawingMs' | 'mintingMs' | 'emptyMs') => (before[part] + after[part]) / 2;
  const ratio = allMs / (mean('drawingMs') + mean('mintingMs') + mean('emptyMs'));
  const draw = (before.oneDrawingMs + after.oneDrawingMs) / 2;
  // With ten in flight the service always draws one of them, so the time of each answer includes
  // one drawing.
  const besideMs = asked.totalMs / few.length - draw;
  return [
    line('RPC calls of a free POST /mint', calls.toFixed(2), 'at most 3', calls <= 3),
    line('free POST /mint, 10 in flight, median', ms(median(asked.eachMs))),
    line(
      '  time for each answer, beside one drawing',
      ms(besideMs),
      `at most ${MOST_BESIDE_DRAWING_MS} ms`,
      besideMs <= MOST_BESIDE_DRAWING_MS,
    ),
    ...payments,
    line('drawing a receipt, median', ms(draw), 'under 150 ms', draw < 150),
    line(`${RECEIPTS} receipts at once, until completed`, ms(allMs)),
    line('  answers of 503 meanwhile', String(unavailable), 'none', unavailable === 0),
    line('  drawing the same number', ms(mean('drawingMs'))),
    line(`  minting the same number, ${WIDTH} at once`, ms(mean('mintingMs'))),
    line(`  the same number of empty runs of ${STEPS} steps`, ms(mean('emptyMs'))),
    line('  ratio to the sum of the three', ratio.toFixed(2), 'at most 1.5', ratio <= 1.5),
    line('app process, highest resident memory', `${rss.toFixed(0)} MB`, 'under 600 MB', rss < 600),
  ];
}

async function measureBareParts(at: Reachable, appEnv: Service['stack']['appEnv'], owner: string) {
  console.log('the bare parts');
  const drawing = await drawAll();
  const postgres = (appEnv['DATABASE_URL'] ?? '').replace(/\/[^/]+$/, '/postgres');
  return {
    drawingMs: drawing.totalMs,
    oneDrawingMs: median(drawing.eachMs),
    mintingMs: await mintBare(at, appEnv['MINTER_KEY_FILE'] ?? '', owner),
    emptyMs: await measureEmptyRuns(postgres, STEPS - 1),
  };
}

async function drawAll() {
  const facts = Array.from({ length: RECEIPTS }, (_, n) =>
    makeFacts({ amount: 10_000n + BigInt(n) }),
  );
  return timeAll(facts, 1, async (one) => void (await drawReceipt(one)));
}

async function mintBare(at: Reachable, minterKeyFile: string, owner: string): Promise<number> {
  const issuer = z
    .object({ trees: z.array(z.object({ address: z.string() })) })
    .parse(await (await fetch(`${at.baseUrl}/.well-known/quittance.json`)).json());
  const secret = z.array(z.number()).parse(JSON.parse(readFileSync(minterKeyFile, 'utf8')));
  return measureBareMints({
    rpcUrl: at.rpcUrl,
    tree: issuer.trees[0]?.address ?? '',
    minterSecret: Uint8Array.from(secret),
    owner,
    count: RECEIPTS,
    width: WIDTH,
  });
}
