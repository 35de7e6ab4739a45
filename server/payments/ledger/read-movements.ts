import type {
  NormalTransaction,
  TokenBalance,
} from '@quittance/verify/chain/normalise-transaction';
import { WRAPPED_SOL } from '@quittance/verify/chain/programs';
import { readActions } from '@quittance/verify/chain/read-actions';
import { isUnknown, traceOwners, type Owners } from '@quittance/verify/chain/trace-owners';
import type { Network } from '@/server/env';
import { tokenByMint } from '@quittance/verify/tokens/token-table';

/** An owner on the other side of a movement, with the amount it gave or got in base units. */
export type Party = { owner: string; amount: bigint };

/** The change of one account of ours by one transaction. */
export type Movement = {
  account: string;
  wallet: string;
  /** Token mint; null for the SOL of the wallet itself. */
  mint: string | null;
  token: string;
  decimals: number;
  /** `none`: the account is named and nothing of it moves. */
  direction: 'in' | 'out' | 'none';
  /** Base units, never negative. */
  amount: bigint;
  /** The part of the outflow that no other owner got: network fees and rent. */
  cost: bigint;
  before: bigint;
  after: bigint;
  parties: Party[];
  /**
   * The purpose that the transaction itself shows: `internal`, between accounts of ours; `cost`,
   * network fees and rent. Null where the operator must state it, by `refund` or `withdrawal`.
   */
  purpose: 'internal' | 'cost' | null;
};

const SOL_DECIMALS = 9;

/**
 * Every account of our wallets that a transaction names, in tokens of the table and in SOL, with the change of
 * its balance. Other mints are left out. Works on balances alone, so inner instructions and batches count alike.
 */
export function readMovements(
  tx: NormalTransaction,
  o: { wallets: ReadonlySet<string>; network: Network },
): Movement[] {
  const owners = traceOwners(tx, readActions(tx.instructions));
  const sol = solByOwner(tx, owners);
  return [
    ...tokenMovements(tx, { ...o, owners, sol }),
    ...[...o.wallets].flatMap((wallet) => {
      const balance = owners.isTokenAccount(wallet) ? undefined : tx.lamports.get(wallet);
      if (!balance) return [];
      const { before, after } = balance;
      const held = { account: wallet, wallet, mint: null, before, after };
      return [describe(held, { token: 'SOL', decimals: SOL_DECIMALS }, sol, { tx, owners, ...o })];
    }),
  ];
}

type Net = ReadonlyMap<string, bigint>;
type Held = Pick<Movement, 'account' | 'wallet' | 'mint' | 'before' | 'after'>;
type Scene = { tx: NormalTransaction; owners: Owners; wallets: ReadonlySet<string> };

function tokenMovements(
  tx: NormalTransaction,
  o: { wallets: ReadonlySet<string>; network: Network; owners: Owners; sol: Net },
): Movement[] {
  const { wallets, owners } = o;
  const ofAccount = new Map<string, { one: TokenBalance; before: bigint; after: bigint }>();
  const ourWallet = new Map<string, string>();
  const add = (one: TokenBalance, owner: string, side: 'before' | 'after'): void => {
    if (!wallets.has(owner)) return;
    const held = ofAccount.get(one.account) ?? { one, before: 0n, after: 0n };
    held[side] = one.amount;
    ofAccount.set(one.account, held);
    ourWallet.set(one.account, owner);
  };
  // An account that changes hands counts as ours only on the side where it is ours.
  for (const one of tx.tokensBefore) add(one, one.owner ?? owners.before(one.account), 'before');
  for (const one of tx.tokensAfter) add(one, one.owner ?? owners.after(one.account), 'after');
  return [...ofAccount].flatMap(([account, { one, before, after }]) => {
    const entry = tokenByMint(one.mint, o.network);
    const wallet = ourWallet.get(account);
    if (!entry || wallet === undefined) return [];
    const { mint, decimals } = one;
    const net = mint === WRAPPED_SOL ? o.sol : netByOwner(tx, owners, mint);
    const named = { token: entry.symbol, decimals };
    return [
      describe({ account, wallet, mint, before, after }, named, net, { tx, owners, wallets }),
    ];
  });
}

function describe(
  held: Held,
  named: Pick<Movement, 'token' | 'decimals'>,
  net: Net,
  scene: Scene,
): Movement {
  const change = held.after - held.before;
  if (change === 0n)
    return {
      ...held,
      token: named.token,
      decimals: named.decimals,
      direction: 'none',
      amount: 0n,
      cost: 0n,
      parties: [],
      purpose: null,
    };
  const isIn = change > 0n;
  const amount = isIn ? change : -change;
  const parties = [...net]
    .filter(([owner, sum]) => !scene.wallets.has(owner) && (isIn ? sum < 0n : sum > 0n))
    .map(([owner, sum]) => ({ owner, amount: sum < 0n ? -sum : sum }))
    .filter(({ owner }) => !isUnknown(owner));
  const isSol = held.mint === null;
  const got = parties.reduce((sum, party) => sum + party.amount, 0n);
  const unshared = !isIn && isSol && got < amount ? amount - got : 0n;
  const most = mostCost(scene, held.wallet);
  const cost = unshared < most ? unshared : most;
  return {
    ...held,
    token: named.token,
    decimals: named.decimals,
    direction: isIn ? 'in' : 'out',
    amount,
    cost,
    parties,
    purpose: purposeOf({ held, isIn, amount, cost, hasParties: parties.length > 0 }, scene),
  };
}

function purposeOf(
  o: { held: Held; isIn: boolean; amount: bigint; cost: bigint; hasParties: boolean },
  scene: Scene,
): Movement['purpose'] {
  if (o.hasParties) return null;
  if (isOurs(o.held, o.isIn, scene)) return 'internal';
  return !o.isIn && o.held.mint === null && o.cost === o.amount ? 'cost' : null;
}

/** Whether another account of our wallets changed the other way, in the same token or in lamports. */
function isOurs({ account, mint }: Held, isIn: boolean, { tx, owners, wallets }: Scene): boolean {
  const isAsset = (one: TokenBalance): boolean =>
    mint === null ? one.mint === WRAPPED_SOL : one.mint === mint;
  const changes = new Map<string, bigint>();
  const add = (key: string, by: bigint) => changes.set(key, (changes.get(key) ?? 0n) + by);
  for (const one of tx.tokensBefore)
    if (isAsset(one) && wallets.has(one.owner ?? owners.before(one.account)))
      add(one.account, -one.amount);
  for (const one of tx.tokensAfter)
    if (isAsset(one) && wallets.has(one.owner ?? owners.after(one.account)))
      add(one.account, one.amount);
  if (mint === null || mint === WRAPPED_SOL)
    for (const [key, { before, after }] of tx.lamports)
      if (wallets.has(owners.before(key)) || wallets.has(owners.after(key)))
        add(key, after - before);
  changes.delete(account);
  return [...changes.values()].some((change) => (isIn ? change < 0n : change > 0n));
}

/** The most that a wallet can have paid to nobody: the network fee and the rent of new accounts. */
function mostCost({ tx, owners }: Scene, wallet: string): bigint {
  let most = tx.feePayer === wallet ? tx.fee : 0n;
  for (const [key, { before, after }] of tx.lamports)
    if (before === 0n && owners.isTokenAccount(key)) most += after;
  return most;
}

function netByOwner(tx: NormalTransaction, owners: Owners, mint: string): Net {
  const net = new Map<string, bigint>();
  const add = (owner: string, by: bigint) => net.set(owner, (net.get(owner) ?? 0n) + by);
  for (const one of tx.tokensBefore)
    if (one.mint === mint) add(one.owner ?? owners.before(one.account), -one.amount);
  for (const one of tx.tokensAfter)
    if (one.mint === mint) add(one.owner ?? owners.after(one.account), one.amount);
  return net;
}

/** SOL and wrapped SOL together, without network fees and without the lamports of other token accounts. */
function solByOwner(tx: NormalTransaction, owners: Owners): Net {
  const net = new Map(netByOwner(tx, owners, WRAPPED_SOL));
  for (const [key, { before, after }] of tx.lamports) {
    if (owners.isTokenAccount(key)) continue;
    const fee = key === tx.feePayer ? tx.fee : 0n;
    net.set(key, (net.get(key) ?? 0n) + after - before + fee);
  }
  return net;
}
