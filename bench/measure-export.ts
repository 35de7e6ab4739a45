import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from '@/generated/prisma/client';
import { makeWallet } from '@/devnet/client/wallet';
import { fillReceipts } from '@/server/exports/receipts.fixture';
import { watchMemory } from './measure-receipts';
import { line, median, type Line } from './stats';

const RECEIPTS = 100_000;
const ROUNDS = 3;

/**
 * An export of 100,000 receipts over two years in euros, read as fast as it comes; middle of three after
 * one that fetches the rates. Memory is the highest of all four, above what the idle service has.
 */
export async function measureExport(place: {
  baseUrl: string;
  databaseUrl: string;
  pid: number;
}): Promise<Line[]> {
  const wallet = makeWallet().address;
  console.log(`writing ${RECEIPTS} receipts`);
  await fill(place.databaseUrl, wallet);
  // The service as it is after its first small request.
  await read(`${place.baseUrl}/wallet/${makeWallet().address}/export?format=csv&country=DE`);
  const idle = await restingMemory(place.pid);
  const memory = watchMemory(place.pid);
  const url = `${place.baseUrl}/wallet/${wallet}/export?format=csv&country=DE`;
  const rounds = [];
  for (let round = 0; round <= ROUNDS; round += 1) rounds.push(await read(url));
  const above = memory.stop() - idle;
  const lines = rounds[0]?.lines ?? 0;
  if (lines !== RECEIPTS + 1) throw new Error(`${lines} lines, not ${RECEIPTS + 1}`);
  const timed = rounds.slice(1);
  const perSecond = RECEIPTS / (median(timed.map(({ totalMs }) => totalMs)) / 1_000);
  const firstMs = median(timed.map(({ firstByteMs }) => firstByteMs));
  const speed = `${Math.round(perSecond).toLocaleString('en-US')} rows/s`;
  const limit = 'at least 20,000 rows/s';
  return [
    line(`export of ${RECEIPTS} receipts as csv`, speed, limit, perSecond >= 20_000),
    line('  first byte', `${firstMs.toFixed(0)} ms`, 'within 300 ms', firstMs < 300),
    line('  memory above idle', `${above.toFixed(0)} MB`, 'under 150 MB', above < 150),
  ];
}

async function read(url: string) {
  const begun = performance.now();
  const response = await fetch(url);
  if (response.status !== 200 || !response.body) throw new Error(`${url}: ${response.status}`);
  const reader = response.body.getReader();
  let firstByteMs = NaN;
  let lines = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (Number.isNaN(firstByteMs)) firstByteMs = performance.now() - begun;
    for (let at = value.indexOf(10); at >= 0; at = value.indexOf(10, at + 1)) lines += 1;
  }
  return { firstByteMs, totalMs: performance.now() - begun, lines };
}

async function fill(connectionString: string, wallet: string): Promise<void> {
  const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString }) });
  await fillReceipts(prisma, { wallet, other: makeWallet().address, count: RECEIPTS });
  await prisma.$executeRaw`analyze receipts, mints`;
  await prisma.$disconnect();
}

/** Resident memory in MB once the service has nothing to do. */
async function restingMemory(pid: number): Promise<number> {
  const memory = watchMemory(pid);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  return memory.stop();
}
