import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { z } from 'zod';
import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from '@/generated/prisma/client';
import { askForReceipt } from '@/devnet/client/ask-for-receipt';
import { askForStatement } from '@/devnet/client/ask-for-statement';
import { fundWallet } from '@/devnet/client/fund-wallet';
import { payOffer, readOffer } from '@/devnet/client/pay-offer';
import { payToken } from '@/devnet/client/pay-token';
import { makeWallet, type Wallet } from '@/devnet/client/wallet';
import { childEnv } from '@/scripts/environment';
import { BROWSER_ARGS, findBrowser } from '@/e2e/harness/find-browser';
import { fillReceipts } from '@/server/exports/receipts.fixture';
import { signIn } from '@/tests/harness/use-dashboard';
import { buildForStack } from '@/scripts/build-app';
import { isolatedEnv } from '@/scripts/isolated-env';
import { pickPorts } from '@/scripts/pick-ports';
import { runService } from '@/scripts/run-service';
import { median } from './stats';

/** Limits that the project set itself. */
const MOST_JS_BYTES = 190_000;
const LEAST_SCORES = { performance: 95, accessibility: 100, 'best-practices': 100 } as const;
const RUNS = 3;
const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const;

/** Times that most of the score of performance is made of, as Lighthouse names them. */
const TIMES = [
  'first-contentful-paint',
  'largest-contentful-paint',
  'total-blocking-time',
] as const;

const report = z.object({
  categories: z.record(z.string(), z.object({ score: z.number().nullable() })),
  audits: z.record(z.string(), z.object({ numericValue: z.number().optional() })),
});
type Measured = { scores: Record<string, number>; times: string };

/** As payer has the seller as many again. */
const RECEIPTS = 100_000;

/**
 * `npm run bench:web`: size of the first load of `/`, and Lighthouse, median of three, of the pages for everybody and
 * of the dashboard signed in with 100,000 receipts; exits 1 on a miss.
 */
async function main(): Promise<boolean> {
  await buildForStack(console.log);
  const dataDir = mkdtempSync(join(tmpdir(), 'quittance-bench-web-'));
  chmodSync(dataDir, 0o755);
  const service = await runService({
    mode: 'start',
    env: { ...isolatedEnv(), ...(await pickPorts()), QUITTANCE_DATA_DIR: dataDir },
    say: console.log,
    onFatal: console.error,
  });
  try {
    const { baseUrl, stack } = service;
    const sale = await makeReceipt(baseUrl, stack.settings.chain.url);
    const statementId = await buyStatement(baseUrl, stack.settings.chain.url, sale);
    const bytes = await firstLoad(baseUrl);
    console.log(`first load of /: ${(bytes / 1000).toFixed(0)} kB of JavaScript, gzip`);
    let ok = bytes <= MOST_JS_BYTES;
    for (const path of ['/', `/r/${sale.receiptId}`, `/s/${statementId}`, '/docs'])
      ok = (await holds({ baseUrl, path, cookie: null })) && ok;
    const cookie = await openFullDashboard(baseUrl, stack.appEnv['DATABASE_URL'] ?? '');
    return (await holds({ baseUrl, path: '/dashboard', cookie })) && ok;
  } finally {
    await service.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Measures a page, prints its medians, and returns whether they are high enough. */
async function holds(o: { baseUrl: string; path: string; cookie: string | null }) {
  const url = `${o.baseUrl}${o.path}`;
  // The first visit to a page loads its code into the server, which happens once in the life of a process.
  await measured(url, o.cookie);
  const runs: Measured[] = [];
  for (let run = 0; run < RUNS; run += 1) runs.push(await measured(url, o.cookie));
  const scores = CATEGORIES.map(
    (category) => [category, median(runs.map((one) => one.scores[category] ?? 0))] as const,
  );
  for (const [category, score] of scores) console.log(`${o.path} ${category}: ${score.toFixed(0)}`);
  for (const { times } of runs) console.log(`  ${times}`);
  return scores.every(([category, score]) => score >= LEAST_SCORES[category]);
}

type MadeSale = { payer: Wallet; txSignature: string; receiptId: string };

async function makeReceipt(baseUrl: string, rpcUrl: string): Promise<MadeSale> {
  const [payer, seller] = [makeWallet(), makeWallet()];
  await fundWallet(rpcUrl, { wallet: payer.address, sol: 1, token: 'USDC', amount: '9' });
  const payment = { from: payer, to: seller.address, token: 'USDC', amount: 250_000n } as const;
  const txSignature = await payToken(rpcUrl, payment);
  const answer = await askForReceipt(baseUrl, {
    txSignature,
    wallet: payer,
    headers: { prefer: 'wait=30' },
  });
  const { receipt_id: receiptId } = z.object({ receipt_id: z.string() }).parse(await answer.json());
  return { payer, txSignature, receiptId };
}

/** A statement over one transfer, minted. */
async function buyStatement(
  baseUrl: string,
  rpcUrl: string,
  { payer, txSignature }: MadeSale,
): Promise<string> {
  const body = { wallet_address: payer.address, transactions: [txSignature] };
  const offered = await askForStatement(baseUrl, { body });
  const payment = await payOffer(rpcUrl, payer, readOffer(await offered.json()));
  const headers = { 'x-payment': payment, prefer: 'wait=30' };
  const answer = await askForStatement(baseUrl, { body, headers });
  return z.object({ statement_id: z.string() }).parse(await answer.json()).statement_id;
}

/** Signs in a seller with many receipts, and gives its cookie. */
async function openFullDashboard(baseUrl: string, connectionString: string): Promise<string> {
  const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString }) });
  const seller = makeWallet();
  const wish = { wallet: seller.address, other: makeWallet().address, count: 2 * RECEIPTS };
  await fillReceipts(prisma, wish);
  // What a database does in the background after so many writes is not part of a visit.
  await prisma.$executeRaw`vacuum analyze`;
  await prisma.$executeRaw`checkpoint`;
  await prisma.$disconnect();
  return (await signIn({ baseUrl }, seller)).cookie;
}

/** Bytes of all scripts that the page names, each compressed as a server would. */
async function firstLoad(baseUrl: string): Promise<number> {
  const html = await (await fetch(baseUrl)).text();
  const tags = html.match(/<script[^>]*>/g) ?? [];
  const urls = tags
    .filter((tag) => !/nomodule/i.test(tag))
    .flatMap((tag) => /src="([^"]+)"/.exec(tag)?.[1] ?? []);
  const sizes = await Promise.all(
    [...new Set(urls)].map(async (url) => {
      const script = await fetch(new URL(url, baseUrl));
      return gzipSync(Buffer.from(await script.arrayBuffer()), { level: 9 }).length;
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** A run whose trace the browser lost says nothing about the page, and is made again. */
async function measured(url: string, cookie: string | null): Promise<Measured> {
  for (let run = 1; run <= RUNS; run += 1) {
    const seen = await lighthouse(url, cookie);
    if (seen) return seen;
  }
  throw new Error(`Lighthouse could not measure ${url} in ${RUNS} runs`);
}

async function lighthouse(url: string, cookie: string | null): Promise<Measured | null> {
  const file = join(mkdtempSync(join(tmpdir(), 'quittance-lighthouse-')), 'report.json');
  const flags = ['--headless=new', ...BROWSER_ARGS].join(' ');
  const child = spawn(
    process.execPath,
    [
      ...['node_modules/lighthouse/cli/index.js', url, '--quiet', '--output=json'],
      ...[`--output-path=${file}`, `--only-categories=${CATEGORIES.join(',')}`],
      ...['--preset=desktop', `--chrome-flags=${flags}`],
      ...(cookie === null ? [] : [`--extra-headers=${JSON.stringify({ cookie })}`]),
    ],
    { env: childEnv({ CHROME_PATH: findBrowser() }), stdio: 'inherit' },
  );
  await new Promise((resolve) => child.once('close', resolve));
  const { categories, audits } = report.parse(JSON.parse(readFileSync(file, 'utf8')));
  const scores = Object.entries(categories).map(([name, { score }]) => [name, score] as const);
  if (scores.some(([, score]) => score === null)) return null;
  const times = TIMES.map((name) => `${name} ${(audits[name]?.numericValue ?? 0).toFixed(0)} ms`);
  return {
    scores: Object.fromEntries(scores.map(([name, score]) => [name, (score ?? 0) * 100])),
    times: times.join(', '),
  };
}

process.exitCode = (await main()) ? 0 : 1;
