import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from '@/generated/prisma/client';
import { makeWallet } from '@/devnet/client/wallet';
import { pageRows, selectedIds } from '@/server/dashboard/page-rows';
import { countUnfinished, sumRows } from '@/server/dashboard/sum-rows';
import { fillReceipts } from '@/server/exports/receipts.fixture';
import { countriesOfReceipts, sumByCountry } from '@/server/jurisdiction/jurisdictions';
import { listFeeDue } from '@/server/registrations/registrations';
import { line, medianMs, type Line } from './stats';

const RECEIPTS = 100_000;
const ROUNDS = 7;

/**
 * Database time of the dashboard of a seller with 100,000 receipts (and as many as payer), measured
 * from the service's side of the connection. Median of seven.
 */
export async function measureDashboard(connectionString: string): Promise<Line[]> {
  const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString }) });
  const wallet = makeWallet().address;
  console.log(`writing ${2 * RECEIPTS} receipts`);
  // The wallet is on the other side of every second one.
  await fillReceipts(prisma, { wallet, other: makeWallet().address, count: 2 * RECEIPTS });
  await prisma.$executeRaw`
    insert into payer_jurisdictions (receipt_id, seller, payer, country, method, database_date,
      recorded_at, usd_micros, block_time)
    select id, seller, payer, (array['DE', 'FR', 'JP', 'US', null])[1 + abs(hashtext(id)) % 5],
           'ip_geolocation', '2026-06-17', now(), usd_micros, block_time
      from receipts where seller = ${wallet}`;
  await prisma.$executeRaw`vacuum analyze receipts`;
  await prisma.$executeRaw`vacuum analyze payer_jurisdictions`;
  await prisma.$executeRaw`analyze mints`;

  const filter = {
    wallet,
    role: 'seller' as const,
    from: new Date(0),
    until: new Date('2100-01-01'),
  };
  const page = { ...filter, cursor: null, limit: 26, order: 'newest' as const };
  const first = await pageRows(prisma, page);
  const receiptIds = first.map(({ receiptId }) => receiptId);
  const deep = { blockTime: new Date('2026-01-01'), slot: 0n, blockIndex: 0, id: '' };
  const timed = (work: () => Promise<unknown>) => medianMs(ROUNDS, work);
  const rows = await timed(async () => {
    await pageRows(prisma, page);
    await countriesOfReceipts(prisma, { seller: wallet, receiptIds });
  });
  const waiting = await timed(async () => {
    await countUnfinished(prisma, wallet);
    await listFeeDue(prisma, { seller: wallet, limit: 50 });
  });
  const later = await timed(() => pageRows(prisma, { ...page, cursor: deep }));
  const sums = await timed(() => sumRows(prisma, filter));
  const countries = await timed(() => sumByCountry(prisma, { seller: wallet, ...filter }));
  const searched = await timed(() => pageRows(prisma, { ...page, search: 'nowhere to be found' }));
  const sumsOf = (search: string) =>
    timed(async () => {
      await sumRows(prisma, { ...filter, search });
      const among = selectedIds({ ...filter, search });
      await sumByCountry(prisma, { seller: wallet, ...filter, among });
    });
  const sumsOfNone = await sumsOf('nowhere to be found');
  const sumsOfEach = await sumsOf('api access');
  await prisma.$disconnect();
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  const all = rows + waiting;
  return [
    line(`dashboard of ${RECEIPTS} receipts, first page`, ms(all), 'under 100 ms', all < 100),
    line('  a page in the middle', ms(later), 'under 100 ms', later < 100),
    line('  sums by day and token', ms(sums)),
    line('  sums by country', ms(countries)),
    line('  a text that no receipt has', ms(searched), 'under 100 ms', searched < 100),
    line('  its sums', ms(sumsOfNone), 'under 100 ms', sumsOfNone < 100),
    line('  the sums of a text that each receipt has', ms(sumsOfEach)),
  ];
}
