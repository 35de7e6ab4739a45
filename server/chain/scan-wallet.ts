import { listTokenAccounts } from './list-token-accounts';
import { searchSignatures, type Period } from './list-signatures';
import { readHistory, type Scan } from './read-history';
import type { ScanContext } from './scan-transactions';

/**
 * Reads everything that happened to a wallet and to its accounts of some tokens in a period, fees of what
 * failed included: its own
 * history, as payments in SOL and all that it signed are in it, and those of its token accounts, as
 * what others send there names the account alone. Throws 400 past `limit` transactions, RpcUnavailable
 * when the chain does not answer: what was read is kept, and the next scan goes on from there.
 */
export async function scanWallet(
  ctx: ScanContext,
  o: { wallet: string; mints: readonly string[]; period: Period; limit: number },
): Promise<Scan> {
  const { wallet, period, limit } = o;
  const ofMints = await Promise.all(
    o.mints.map((mint) => listTokenAccounts(ctx.rpc, { wallet, mint })),
  );
  const accounts = [wallet, ...new Set(ofMints.flatMap(({ accounts }) => accounts))];
  return readHistory(ctx, {
    search: searchSignatures({ rpc: ctx.rpc, accounts, period }),
    all: ofMints.every(({ all }) => all),
    mints: new Set(o.mints),
    ...{ wallet, period, limit, withFees: true },
  });
}
