import { TOKEN, TOKEN_2022 } from '@quittance/verify/chain/programs';
import { RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import { tokenAddressOf } from '@quittance/verify/chain/token-accounts';
import { perChain } from './per-chain';
import type { Rpc } from './rpc';

/** Searching more accounts of one wallet than this would cost more than any listing is worth. */
export const MOST_ACCOUNTS = 20;

/** Token programs of mints already looked up; a mint never changes its program. */
const programs = perChain(() => new Map<string, string>());

/**
 * The accounts in which a wallet holds or held tokens of a mint. The associated one is first, open
 * or closed, then the others while they are open. It returns {@link MOST_ACCOUNTS} at most (`all`
 * is false when there are more). Throws RpcUnavailable when the nodes do not return the mint. It is
 * in the token table, so it exists. Without an account to search, a wallet would look as if it had
 * never been paid.
 */
export async function listTokenAccounts(
  rpc: Rpc,
  o: { wallet: string; mint: string },
): Promise<{ accounts: string[]; all: boolean }> {
  const { wallet, mint } = o;
  const tokenProgram = await programOf(rpc, mint);
  const open = await rpc.getTokenAccountsByOwner(wallet, mint);
  const associated = await tokenAddressOf({ wallet, mint, tokenProgram });
  const accounts = [...new Set([associated, ...open.sort()])];
  return { accounts: accounts.slice(0, MOST_ACCOUNTS), all: accounts.length <= MOST_ACCOUNTS };
}

async function programOf(rpc: Rpc, mint: string): Promise<string> {
  const known = programs(rpc);
  const owner = known.get(mint) ?? (await rpc.getAccountInfo(mint))?.owner;
  if (owner !== TOKEN && owner !== TOKEN_2022)
    throw new RpcUnavailable(
      `No node returns the mint ${mint}: its account is ${owner ? `of ${owner}` : 'missing'}`,
    );
  known.set(mint, owner);
  return owner;
}
