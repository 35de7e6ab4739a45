import bs58 from 'bs58';
import { TOKEN } from '@quittance/verify/chain/programs';
import { rpc, type Account, type Rpc } from '@/server/chain/rpc';
import { RpcRefused, RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import { tokenAddressOf } from '@/server/chain/token-address';
import { db, type Db } from '@/server/db/client';
import { env, type Env } from '@/server/env';
import { log } from '@/server/log';
import { treeSpace } from '@/server/nft/tree-space';
import { storageBalance, storagePrice } from '@/server/storage/read-storage-account';
import { StorageUnavailable } from '@/server/storage/request-storage';
import { clockSkew, skewFault } from './clock-skew';
import {
  LEAST_FEE_PAYER_LAMPORTS,
  LEAST_TREE_SPACE,
  leastMinterLamports,
  STORED_AHEAD,
} from './least-balances';
import { paymentNetwork } from './payment-network';

export type PaidRoutesState =
  | {
      open: true;
      /** Why payments of x402 v1 and v2 are not settled now, while those that clients send count. */
      notSettled?: string;
    }
  | { open: false; reason: string };

const CHECKED_EVERY_MS = 60_000;
/** A little longer, so that no request finds it run out while the next look is on its way. */
const KEPT_MS = 75_000;
/** What was amiss is looked at again sooner. */
const CLOSED_AGAIN_MS = 5_000;

type Looked = { at: number; keepMs: number; state: Promise<PaidRoutesState> };
let looked: Looked | undefined;

/**
 * Whether this service can be paid and do what it is paid for: balances and accounts as of a minute ago,
 * clocks as of now. The reason is for everyone to read: a clause without balances. Never throws for what is outside: closed it is.
 */
export async function paidRoutesState(): Promise<PaidRoutesState> {
  if (!looked || performance.now() - looked.at > looked.keepMs) looked = look();
  const state = await looked.state;
  // Looked at each time: a clock may be set at any moment, and this costs nothing.
  const fault = skewFault(await clockSkew());
  if (fault === null) return state;
  return { open: false, reason: state.open ? fault : `${state.reason}; ${fault}` };
}

/** Looks now and every minute from now on, and logs what closes the paid routes. */
export function watchPaidRoutes(): void {
  const watch = async (): Promise<void> => {
    looked = look();
    try {
      const state = await paidRoutesState();
      if (!state.open) log().error({ event: 'paid_routes_closed', reason: state.reason });
      else if (state.notSettled !== undefined)
        log().error({ event: 'settling_closed', reason: state.notSettled });
    } catch (error) {
      log().error({ event: 'paid_routes_unknown', err: error });
    }
  };
  void watch();
  setInterval(() => void watch(), CHECKED_EVERY_MS).unref();
}

function look(): Looked {
  const fresh: Looked = {
    at: performance.now(),
    keepMs: KEPT_MS,
    state: lookAtAll(),
  };
  const again = () => (fresh.keepMs = CLOSED_AGAIN_MS);
  void fresh.state.then((state) => (!state.open || state.notSettled) && again(), again);
  return fresh;
}

async function lookAtAll(): Promise<PaidRoutesState> {
  const [accounts, fault] = await Promise.all([
    checkAccounts({ rpc: rpc(), env: env() }),
    spaceFault({ db: db(), env: env() }),
  ]);
  if (fault === null) return accounts;
  return { open: false, reason: accounts.open ? fault : `${accounts.reason}; ${fault}` };
}

/** What waits for its NFT has room before anything more is sold. */
export async function spaceFault(o: {
  db: Pick<Db, '$queryRaw' | 'mint'>;
  env: Pick<Env, 'network' | 'minter'>;
}): Promise<string | null> {
  const { network, minter } = o.env;
  const [space, pending] = await Promise.all([
    treeSpace(o.db, { network, minter: minter.publicKey }),
    o.db.mint.count({ where: { status: 'pending' } }),
  ]);
  return space.left - BigInt(pending) < LEAST_TREE_SPACE ? 'the trees are nearly full' : null;
}

/** One look at the accounts that paid routes need: three RPC calls, two to the storage node. */
export async function checkAccounts(o: {
  rpc: Pick<Rpc, 'getAccountInfo' | 'getBalance'>;
  env: Pick<
    Env,
    | 'network'
    | 'payTo'
    | 'feePayer'
    | 'minter'
    | 'storage'
    | 'storageUploadUrl'
    | 'mintPriorityFeeMicroLamports'
  >;
}): Promise<PaidRoutesState> {
  try {
    const looks = [receiverFault(o), minterFault(o), storageFault(o)];
    const [notSettled, ...faults] = await Promise.all([feePayerFault(o), ...looks]);
    const reasons = faults.flatMap((fault) => fault ?? []);
    if (reasons.length > 0) return { open: false, reason: reasons.join('; ') };
    return notSettled === null ? { open: true } : { open: true, notSettled };
  } catch (error) {
    if (error instanceof RpcUnavailable) return { open: false, reason: 'no Solana node answers' };
    if (error instanceof RpcRefused)
      return { open: false, reason: 'a Solana node refuses to tell the accounts' };
    throw error;
  }
}

type Input = Parameters<typeof checkAccounts>[0];

async function receiverFault({ rpc, env }: Input): Promise<string | null> {
  const { usdcMint } = paymentNetwork(env.network);
  const account = await rpc.getAccountInfo(
    await tokenAddressOf({ wallet: env.payTo, mint: usdcMint, tokenProgram: TOKEN }),
  );
  if (account === null) return 'the USDC account that fees are paid to does not exist';
  const token = readTokenAccount(account);
  if (token?.mint !== usdcMint || token.owner !== env.payTo)
    return 'the account that fees are paid to is no USDC account of its wallet';
  return token.isFrozen ? 'the USDC account that fees are paid to is frozen' : null;
}

async function minterFault({ rpc, env }: Input): Promise<string | null> {
  const lamports = await rpc.getBalance(env.minter.publicKey);
  return lamports < leastMinterLamports(env) ? 'the minter runs low on SOL' : null;
}

/** The fee payer pays for what we send. A client that sends its payment itself needs none of it. */
async function feePayerFault({ rpc, env }: Input): Promise<string | null> {
  const lamports = await rpc.getBalance(env.feePayer.publicKey);
  return lamports < LEAST_FEE_PAYER_LAMPORTS ? 'the fee payer runs low on SOL' : null;
}

/** A storage node that is silent for a while only delays what was bought, so it closes nothing. */
async function storageFault({ env }: Input): Promise<string | null> {
  const { storageUploadUrl: uploadUrl } = env;
  try {
    const price = await storagePrice({ uploadUrl, bytes: STORED_AHEAD.bytes });
    if (price === 0n) return null;
    const balance = await storageBalance({ uploadUrl, owner: env.storage.publicKey });
    return balance < price * STORED_AHEAD.items ? 'the storage balance runs low' : null;
  } catch (error) {
    if (error instanceof StorageUnavailable) return null;
    throw error;
  }
}

const TOKEN_ACCOUNT_BYTES = 165;
/** Offsets of a token account (SPL Token, state.rs): mint, owner, amount, delegate (36), state. */
const STATE_AT = 108;
const FROZEN = 2;

function readTokenAccount(
  account: Account,
): { mint: string; owner: string; isFrozen: boolean } | null {
  const { data } = account;
  if (account.owner !== TOKEN || data.length !== TOKEN_ACCOUNT_BYTES) return null;
  return {
    mint: bs58.encode(data.subarray(0, 32)),
    owner: bs58.encode(data.subarray(32, 64)),
    isFrozen: data[STATE_AT] === FROZEN,
  };
}
