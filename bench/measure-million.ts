import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from '@/generated/prisma/client';
import { makeWallet } from '@/devnet/client/wallet';
import { pageRows } from '@/server/dashboard/page-rows';
import { filledId, fillReceipts } from '@/server/exports/receipts.fixture';
import { findReceipt, findReceiptOfTransaction } from '@/server/receipts/find-receipt';
import { measureExport } from './measure-export';
import type { Place } from './measure-receipts';
import { line, medianMs, type Line } from './stats';

const RECEIPTS = 1_000_000;
/** Receipts of one wallet among them, half as seller. */
const OF_ONE = 200_000;
const ROUNDS = 21;
const LIMIT_MS = 5;

/**
 * The cost of a search among a million receipts: database time from the service's side of the
 * connection, median of 21 searches for different receipts. Then an export among them.
 */
export async function measureMillion(place: Omit<Place, 'rpcUrl'>): Promise<Line[]> {
  const adapter = new PrismaPg({ connectionString: place.databaseUrl });
  const prisma = new PrismaClient({ adapter });
  const wallet = makeWallet().address;
  const crowd = makeWallet().address;
  console.log(`writing ${RECEIPTS.toLocaleString('en-US')} receipts`);
  await fillReceipts(prisma, { wallet, other: makeWallet().address, count: OF_ONE });
  await fillReceipts(prisma, {
    wallet: crowd,
    other: makeWallet().address,
    count: RECEIPTS - OF_ONE,
  });
  await prisma.$executeRaw`vacuum analyze receipts`;
  await prisma.$executeRaw`vacuum analyze mints`;

  const turn = (round: number) => (round * 7_919) % (RECEIPTS - OF_ONE);
  const timed = (work: (round: number) => Promise<unknown>) => medianMs(ROUNDS, work);
  const byId = await timed((round) => findReceipt(prisma, filledId(crowd, turn(round))));
  const byTransaction = await timed((round) =>
    findReceiptOfTransaction(prisma, `${crowd}:${turn(round)}`),
  );
  const filter = { role: 'seller' as const, from: new Date(0), until: new Date('2100-01-01') };
  const page = { ...filter, cursor: null, limit: 26, order: 'newest' as const };
  const firstPage = await timed(() => pageRows(prisma, { ...page, wallet }));
  await prisma.$disconnect();
  const of = (name: string, value: number) =>
    line(name, `${value.toFixed(1)} ms`, `under ${LIMIT_MS} ms`, value < LIMIT_MS);
  return [
    of(`a receipt of ${RECEIPTS.toLocaleString('en-US')}, by its id`, byId),
    of('  by its transaction', byTransaction),
    of('  first page of the dashboard of one wallet', firstPage),
    ...(await measureExport(place)),
  ];
}
