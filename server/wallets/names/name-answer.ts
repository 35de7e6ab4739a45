import { address, isAddress, isOffCurveAddress } from '@solana/kit';
import type { TOKEN, TOKEN_2022 } from '@quittance/verify/chain/programs';
import { SYSTEM } from '@quittance/verify/chain/programs';
import type { Account, Rpc } from '@/server/chain/rpc';
import bs58 from 'bs58';

/** The answer of a registry about a name. */
export type NameAnswer =
  | { state: 'found'; address: string }
  /** The registry has no such name. */
  | { state: 'unknown' }
  /** The network has no registry of names. */
  | { state: 'no_names' }
  /** It is not certain which wallet the name belongs to. */
  | { state: 'unsure'; why: Doubt };

export type Doubt =
  /** The account does not have the form that its registry writes. */
  | 'malformed'
  | 'expired'
  /** The registry's operator froze the name. */
  | 'frozen'
  /** A program owns it, or no owner exists: the name belongs to no wallet. */
  | 'no_wallet'
  /** One registry names another wallet than the other, or none. */
  | 'registries_differ'
  | 'nodes_differ';

/** The part of a node that names are read from. */
export type NameNode = Pick<Rpc, 'getAccounts' | 'getTokenLargestAccounts'>;

/**
 * The name belongs to this address, if that is a wallet: a point on the curve, and not the system
 * program.
 */
export function standsFor(wallet: string): NameAnswer {
  const isWallet = isAddress(wallet) && wallet !== SYSTEM && !isOffCurveAddress(address(wallet));
  return isWallet ? { state: 'found', address: wallet } : { state: 'unsure', why: 'no_wallet' };
}

/** Null for an account that is not there. Anybody can send lamports to any address, so one without data is not. */
export function present(account: Account | null | undefined): Account | null {
  return account && account.data.length > 0 ? account : null;
}

/** Offsets and sizes in a token account and a mint of SPL Token and Token-2022 (spl-token state.rs). */
const ACCOUNT = { mint: 0, owner: 32, amount: 64, state: 108, bytes: 165 } as const;
const MINT = { supply: 36, decimals: 44, isInitialized: 45, bytes: 82 } as const;
/** State of a token account that is neither frozen nor closed. */
const INITIALIZED = 1;

export type Holding = { account: string; info: Account; owner: string };

/**
 * The one token account that holds the NFT of a mint, and its owner. Null where mint or account are of another
 * program, where there is not exactly one token in one account, or where that account is frozen.
 */
export async function findHolding(
  node: NameNode,
  o: { mint: string; program: typeof TOKEN | typeof TOKEN_2022 },
): Promise<Holding | null> {
  const { mint, program } = o;
  const largest = await node.getTokenLargestAccounts(mint);
  const [holder, ...others] = largest.filter(({ amount }) => amount > 0n);
  if (!holder || others.length > 0 || holder.amount !== 1n) return null;
  const { accounts } = await node.getAccounts([mint, holder.address]);
  const [mintInfo, info] = accounts.map(present);
  if (!mintInfo || mintInfo.owner !== program || !isNft(mintInfo.data)) return null;
  if (!info || info.owner !== program || info.data.length < ACCOUNT.bytes) return null;
  const { data } = info;
  const isHeld =
    keyAt(data, ACCOUNT.mint) === mint &&
    viewOf(data).getBigUint64(ACCOUNT.amount, true) === 1n &&
    data[ACCOUNT.state] === INITIALIZED;
  return isHeld ? { account: holder.address, info, owner: keyAt(data, ACCOUNT.owner) } : null;
}

/** Whether a mint has one token that cannot be divided. */
function isNft(data: Uint8Array): boolean {
  return (
    data.length >= MINT.bytes &&
    viewOf(data).getBigUint64(MINT.supply, true) === 1n &&
    data[MINT.decimals] === 0 &&
    data[MINT.isInitialized] === 1
  );
}

/** The address in the 32 bytes from an offset on. */
export function keyAt(data: Uint8Array, offset: number): string {
  return bs58.encode(data.subarray(offset, offset + 32));
}

export function viewOf(data: Uint8Array): DataView {
  return new DataView(data.buffer, data.byteOffset, data.byteLength);
}
