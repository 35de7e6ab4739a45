import { TOKEN, TOKEN_2022 } from '@quittance/verify/chain/programs';
import { scanTransactions, type ScanContext, type ScannedTransaction } from './scan-transactions';
import { tokenAddressOf } from './token-address';

/** What a person looks through to find one payment. */
const MOST = 25;

/**
 * The last transactions of a wallet and of its accounts of some token mints, newest first, at most
 * {@link MOST}: what it did itself is in its own history, what it was paid in that of its accounts.
 */
export async function recentTransactions(
  ctx: ScanContext,
  o: { wallet: string; mints: readonly string[] },
): Promise<ScannedTransaction[]> {
  const addresses = await Promise.all(
    o.mints.flatMap((mint) =>
      [TOKEN, TOKEN_2022].map((tokenProgram) =>
        tokenAddressOf({ wallet: o.wallet, mint, tokenProgram }),
      ),
    ),
  );
  const histories = await Promise.all(
    [o.wallet, ...addresses].map((account) =>
      ctx.rpc.getSignaturesForAddress(account, { limit: MOST }),
    ),
  );
  const lines = new Map(histories.flat().map((line) => [line.signature, line]));
  const newest = [...lines.values()]
    .filter(({ failed }) => !failed)
    .sort((a, b) => (a.slot === b.slot ? 0 : a.slot < b.slot ? 1 : -1))
    .slice(0, MOST);
  return scanTransactions(ctx, newest);
}
