import { readFileSync } from 'node:fs';
import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from '@/generated/prisma/client';
import { makeWallet } from '@/devnet/client/wallet';
import { fillReceipts } from '@/server/exports/receipts.fixture';
import { restingMemory, watchMemory, type Place } from './measure-receipts';
import { line, median, type Line } from './stats';

const RECEIPTS = 100_000;
const ROUNDS = 3;

/**
 * An export of 100,000 receipts over two years in euros, read as fast as possible. Median of three
 * after one warm-up. Memory is the highest of the three, each above the process's memory before it.
 */
export async function measureExport(place: Omit<Place, 'rpcUrl'>): Promise<Line[]> {
  const wallet = makeWallet().address;
  console.log(`writing ${RECEIPTS} receipts`);
  await fill(place.databaseUrl, wallet);
  const url = `${place.baseUrl}/wallet/${wallet}/export?format=csv&country=DE`;
  await read(`${place.baseUrl}/wallet/${makeWallet().address}/export?format=csv&country=DE`);
  // The first export also fetches two years of rates, and grows the heap, which the process then
  // keeps.
  const cold = await watched(place.pid, url);
  const cpuBefore = cpuMs(place.pid);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await watched(place.pid, url));
  const cpu = (cpuMs(place.pid) - cpuBefore) / rounds.length;
  const lines = rounds[0]?.lines ?? 0;
  if (lines !== RECEIPTS + 1) throw new Error(`${lines} lines, not ${RECEIPTS + 1}`);
  const perSecond = RECEIPTS / (median(rounds.map(({ totalMs }) => totalMs)) / 1_000);
  const above = Math.max(...rounds.map(({ aboveMb }) => aboveMb));
  const firstMs = median(rounds.map(({ firstByteMs }) => firstByteMs));
  const speed = `${Math.round(perSecond).toLocaleString('en-US')} rows/s`;
  const limit = 'at least 20,000 rows/s';
  return [
    line(`export of ${RECEIPTS} receipts as csv`, speed, limit, perSecond >= 20_000),
    line('  processor time of the service for one', `${cpu.toFixed(0)} ms`),
    line('  first byte', `${firstMs.toFixed(0)} ms`, 'within 300 ms', firstMs < 300),
    line('  memory above idle', `${above.toFixed(0)} MB`, 'under 150 MB', above < 150),
    line('  the same of the first export of a process', `${cold.aboveMb.toFixed(0)} MB`),
  ];
}

/** An export, and its peak memory above the process's memory at rest before it. */
async function watched(pid: number, url: string) {
  const idle = await restingMemory(pid);
  const memory = watchMemory(pid);
  const found = await read(url);
  return { ...found, aboveMb: memory.stop() - idle };
}

async function read(url: string) {
  const begun = performance.now();
  // Uncompressed, like curl asks: only clients that want compression pay for it.
  const response = await fetch(url, { headers: { 'accept-encoding': 'identity' } });
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

/** Processor time that a process has used, in ms. The kernel counts in hundredths of a second. */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
