import { address, getAddressEncoder, getProgramDerivedAddress } from '@solana/kit';
import { ASSOCIATED_TOKEN } from './programs';
import type { RawTransaction } from './raw-transaction';

/** A token account, and the wallet that owned it at the time. */
export type OwnedAccount = { account: string; owner: string; mint: string };

/** The token accounts of a transaction whose owner the node wrote down, before or after it (`json` form). */
export function listOwnedAccounts(raw: RawTransaction): OwnedAccount[] {
  if (raw.meta === null || Array.isArray(raw.transaction)) return [];
  const { loadedAddresses: loaded, preTokenBalances, postTokenBalances } = raw.meta;
  const keys = [
    ...raw.transaction.message.accountKeys.map((key) =>
      typeof key === 'string' ? key : key.pubkey,
    ),
    ...(loaded?.writable ?? []),
    ...(loaded?.readonly ?? []),
  ];
  const owned = new Map<string, OwnedAccount>();
  for (const { accountIndex, owner, mint } of [
    ...(preTokenBalances ?? []),
    ...(postTokenBalances ?? []),
  ]) {
    const account = keys[accountIndex];
    if (account !== undefined && typeof owner === 'string')
      owned.set(`${account} ${owner}`, { account, owner, mint });
  }
  return [...owned.values()];
}

/** The associated token account of a wallet: where wallets pay to, whether or not it exists. */
export async function tokenAddressOf(o: {
  wallet: string;
  mint: string;
  tokenProgram: string;
}): Promise<string> {
  const encoder = getAddressEncoder();
  const [account] = await getProgramDerivedAddress({
    programAddress: address(ASSOCIATED_TOKEN),
    seeds: [o.wallet, o.tokenProgram, o.mint].map((key) => encoder.encode(address(key))),
  });
  return account;
}
