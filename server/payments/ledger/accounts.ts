import bs58 from 'bs58';
import type { LedgerAccount } from '@/generated/prisma/client';
import { TOKEN, TOKEN_2022 } from '@quittance/verify/chain/programs';
import { tokenAddressOf } from '@quittance/verify/chain/token-accounts';
import type { ServiceContext } from '@/server/context';
import type { Db } from '@/server/db/client';
import { databaseNow } from '@/server/db/database-clock';
import { listTokens, tokenByMint } from '@quittance/verify/tokens/token-table';

type Context = Pick<ServiceContext, 'db' | 'env' | 'rpc'>;
type Named = Pick<LedgerAccount, 'account' | 'wallet' | 'mint' | 'token' | 'decimals'>;

const SOL_DECIMALS = 9;
/** Decimals of the stablecoins. A transaction names the decimals of the tokens it moves. */
const TOKEN_DECIMALS = 6;

/** Wallets whose money the ledger accounts for: PAY_TO, and its earlier values. */
export async function ledgerWallets({
  db,
  env,
}: Pick<Context, 'db' | 'env'>): Promise<Set<string>> {
  const rows = await db.$queryRaw<{ wallet: string }[]>`
    with recursive paid as (
      select min(pay_to) as wallet from payments
      union all
      select (select min(pay_to) from payments where pay_to > paid.wallet)
      from paid where paid.wallet is not null)
    select wallet from paid where wallet is not null
    union select pay_to from quotes
    union select wallet from ledger_accounts`;
  return new Set([env.payTo, ...rows.map(({ wallet }) => wallet)]);
}

/**
 * Brings the list of accounts up to date and returns those whose history is read. For each wallet
 * these are its SOL and its associated account of every token that can be valued, open or closed.
 * They also include its other open accounts of tokens of the table. Accounts of other mints are
 * listed only to be counted. Throws RpcUnavailable.
 */
export async function refreshAccounts(
  ctx: Context,
  wallets: ReadonlySet<string>,
): Promise<LedgerAccount[]> {
  const { db } = ctx;
  const found: Named[] = [];
  const addresses = [...wallets].filter(isAddress);
  for (const wallet of addresses)
    found.push(...solOf(wallet), ...(await associated(ctx, wallet)), ...(await open(ctx, wallet)));
  await addAccounts(db, found);
  const accounts = await db.ledgerAccount.findMany({
    where: { wallet: { in: [...wallets] }, token: { not: null } },
    orderBy: [{ createdAt: 'asc' }, { account: 'asc' }],
  });
  // A wallet's own history may be long and costly. Payments that buy something must not wait for
  // it.
  const rank = ({ token, mint }: LedgerAccount) => (token === 'USDC' ? 0 : mint === null ? 2 : 1);
  return accounts.sort((a, b) => rank(a) - rank(b));
}

/** Adds accounts that are not on the list; those that are keep how far they were read. */
export async function addAccounts(db: Db, accounts: readonly Named[]): Promise<void> {
  const known = await db.ledgerAccount.findMany({
    where: { account: { in: accounts.map(({ account }) => account) } },
    select: { account: true },
  });
  const names = new Set(known.map(({ account }) => account));
  const fresh = accounts.filter(({ account }) => !names.has(account));
  if (fresh.length === 0) return;
  const createdAt = await databaseNow(db);
  await db.ledgerAccount.createMany({
    data: fresh.map(({ account, wallet, mint, token, decimals }) => ({
      account,
      wallet,
      mint,
      token,
      decimals,
      createdAt,
    })),
    skipDuplicates: true,
  });
}

/**
 * A wallet on record may come from a test or an old setting. A text that is not an address has no
 * history.
 */
function isAddress(wallet: string): boolean {
  return bs58.decodeUnsafe(wallet)?.length === 32;
}

function solOf(wallet: string): Named[] {
  return [{ account: wallet, wallet, mint: null, token: 'SOL', decimals: SOL_DECIMALS }];
}

/** Of both token programs, so that no node must be asked for the program of a mint. */
async function associated({ env }: Pick<Context, 'env'>, wallet: string): Promise<Named[]> {
  const wanted = listTokens(env.network).flatMap(({ mint, symbol, valuation }) =>
    mint !== null && valuation !== null
      ? [TOKEN, TOKEN_2022].map((tokenProgram) => ({ mint, symbol, tokenProgram }))
      : [],
  );
  return Promise.all(
    wanted.map(async ({ mint, symbol, tokenProgram }) => ({
      account: await tokenAddressOf({ wallet, mint, tokenProgram }),
      wallet,
      mint,
      token: symbol,
      decimals: TOKEN_DECIMALS,
    })),
  );
}

async function open({ rpc, env }: Context, wallet: string): Promise<Named[]> {
  const lists = await Promise.all(
    [TOKEN, TOKEN_2022].map((program) => rpc.getOwnedAccounts(wallet, program)),
  );
  return lists.flat().flatMap(({ account, data }) => {
    if (data.length < 72) return [];
    const mint = bs58.encode(data.subarray(0, 32));
    const token = tokenByMint(mint, env.network)?.symbol ?? null;
    return [{ account, wallet, mint, token, decimals: TOKEN_DECIMALS }];
  });
}
