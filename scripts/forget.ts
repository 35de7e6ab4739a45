import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from '@/generated/prisma/client';
import { DATABASE_NAME, loadDotEnv, settings } from '@/devnet/settings';
import { forgetWallet } from '@/server/jurisdiction/forget-jurisdictions';
import { isWalletAddress } from '@/server/wallets/base58';

/** `npm run forget -- <wallet>`: deletes the countries on record of a payer, before their time is over. */
async function main(): Promise<void> {
  loadDotEnv();
  const [wallet = ''] = process.argv.slice(2);
  if (!isWalletAddress(wallet)) throw new Error('Usage: npm run forget -- <wallet address>');
  const { given, postgres } = settings();
  const local = `postgresql://postgres:postgres@127.0.0.1:${postgres.port}/${DATABASE_NAME}`;
  const connectionString = given.databaseUrl ?? local;
  const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString }) });
  try {
    const count = await prisma.$transaction((tx) =>
      forgetWallet(tx, { wallet, actor: 'admin', now: new Date() }),
    );
    console.log(`forgot where ${wallet} paid from, on ${count} receipts`);
  } finally {
    await prisma.$disconnect();
  }
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
