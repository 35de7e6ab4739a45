import { TOKEN } from '@quittance/verify/chain/programs';
import { RpcRefused, RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import bs58 from 'bs58';
import { chainAheadMs } from '@/server/chain/chain-order';
import { AGREEING_NODES, areEnough, slotsByNode } from '@/server/chain/node-statuses';
import { type Account, rpc, type Rpc } from '@/server/chain/rpc';
import { tokenAddressOf } from '@quittance/verify/chain/token-accounts';
import { db, type Db } from '@/server/db/client';
import { env, type Env } from '@/server/env';
import { log } from '@/server/log';
import { MINT_LAMPORTS } from '@/server/nft/offline-umi';
import { treeSpace } from '@/server/nft/trees';
import { serviceClock } from '@/server/service-clock';
import { storageBalance, storagePrice, StorageUnavailable } from '@/server/storage/request-storage';
import { paymentNetwork } from './prices';

export type PaidRoutesState =
  | {
      open: true;
      /**
       * Why payments of x402 v1 and v2 are not settled now. Payments that clients send themselves
       * still count.
       */
      notSettled?: string;
      /** Why payments that clients send themselves count only later. */
      countsLater?: string;
    }
  | { open: false; reason: string };

const CHECKED_EVERY_MS = 60_000;
/** A little longer, so that no request finds it expired while the next check runs. */
const KEPT_MS = 75_000;
/** A fault is checked again sooner. */
const CLOSED_AGAIN_MS = 5_000;

type Looked = { at: number; keepMs: number; state: Promise<PaidRoutesState> };
let looked: Looked | undefined;

/**
 * Whether this service can be paid and can deliver what it sells: balances and accounts as of a
 * minute ago, clocks as of now. The reason is public: a clause without balances. An upstream fault
 * closes sales and never throws.
 */
export async function paidRoutesState(): Promise<PaidRoutesState> {
  if (!looked || performance.now() - looked.at > looked.keepMs) looked = look();
  const state = await looked.state;
  // Checked each time: a clock may be set at any moment, and this costs nothing.
  const fault = skewFault(await clockSkew());
  if (fault === null) return withWitness(state, await witnessKnown());
  return { open: false, reason: state.open ? fault : `${state.reason}; ${fault}` };
}

/**
 * With an answer from only one of several nodes, the payer would wait too long. So no payment is
 * sent.
 */
export function withWitness(state: PaidRoutesState, fault: string | null): PaidRoutesState {
  if (fault === null || !state.open) return state;
  const { notSettled } = state;
  return {
    open: true,
    notSettled: notSettled === undefined ? fault : `${notSettled}; ${fault}`,
    countsLater: fault,
  };
}

/** Why a payment would wait for a second node, as public text; null if enough nodes answer. */
export async function witnessFault(rpc: Pick<Rpc, 'nodes' | 'unmetered'>): Promise<string | null> {
  if (rpc.nodes < AGREEING_NODES || areEnough(await slotsByNode(rpc), rpc)) return null;
  return 'fewer than two of our Solana nodes answer';
}

const NODES_ASKED_EVERY_MS = 5_000;
const witnessKnown = inBackground(NODES_ASKED_EVERY_MS, () => witnessFault(rpc()));

/** Checks now and every minute from now on, and logs what closes the paid routes. */
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

/** Mints that wait for their NFT get their space before anything more is sold. */
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

/** One check of the accounts that paid routes need: three RPC calls, two to the storage node. */
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
      return { open: false, reason: 'a Solana node refuses to return the accounts' };
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

/** The fee payer pays only for what we send. Clients that send their payment themselves do not need it. */
async function feePayerFault({ rpc, env }: Input): Promise<string | null> {
  const lamports = await rpc.getBalance(env.feePayer.publicKey);
  return lamports < LEAST_FEE_PAYER_LAMPORTS ? 'the fee payer runs low on SOL' : null;
}

/** A storage node that is silent for a while only delays deliveries, so it closes nothing. */
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

/**
 * The cost of one payment at the limits of server/payments/facilitator/scan-wire.ts, a thousand
 * times.
 */
export const LEAST_FEE_PAYER_LAMPORTS = 1_000n * 22_000n;

/** Compute units that a mint may use, to compute its priority fee. */
const MINT_UNITS = 100_000n;
const MINTS_AHEAD = 100n;

/** Lamports of one mint, priority fee included. */
export function mintLamports(env: Pick<Env, 'mintPriorityFeeMicroLamports'>): bigint {
  return MINT_LAMPORTS + (BigInt(env.mintPriorityFeeMicroLamports) * MINT_UNITS) / 1_000_000n;
}

/** Below this balance the minter might not be able to mint the receipts that are sold. */
function leastMinterLamports(env: Pick<Env, 'mintPriorityFeeMicroLamports'>): bigint {
  return MINTS_AHEAD * mintLamports(env);
}

/** How many items the storage balance must cover, if items of our size cost anything. */
export const STORED_AHEAD = { items: 200n, bytes: 64 * 1024 } as const;

/**
 * Leaves that must be free before anything more is sold, in addition to those for waiting mints.
 */
const LEAST_TREE_SPACE = 20n;

/** Beyond this difference a clock counts as wrong, and nothing more is sold. */
const MOST_SKEW_MS = 30_000;

/** How far clocks are ahead of the database's, in milliseconds; negative: behind. */
export type ClockSkew = {
  /** This machine's own clock. Only libraries and the log read it. */
  machineMs: number;
  /** The chain's. Null while no node returns a time. */
  chainMs: number | null;
};

/** The chain's clock is asked for this often: three calls. */
const CHAIN_ASKED_EVERY_MS = 20_000;
const chainAhead = inBackground(CHAIN_ASKED_EVERY_MS, askChain);

/**
 * How far the clocks of this machine and of the chain are from the database's. The machine's is as
 * of now, the chain's is as last read. Only the first call waits for a node.
 */
export async function clockSkew(): Promise<ClockSkew> {
  const chainMs = await chainAhead();
  return { machineMs: serviceClock().systemAheadMs(), chainMs };
}

/** Asks at most once in `everyMs`, and returns the last answer. Only the first call waits for a node. */
function inBackground<T>(everyMs: number, ask: () => Promise<T>): () => Promise<T> {
  let askedAt = -Infinity;
  let isAsking = false;
  let last: Promise<T> | undefined;
  return () => {
    if (last && (isAsking || performance.now() - askedAt <= everyMs)) return last;
    askedAt = performance.now();
    isAsking = true;
    const asked = ask();
    last ??= asked;
    // A failed call keeps the last answer.
    void asked
      .then(
        () => (last = asked),
        () => undefined,
      )
      .finally(() => (isAsking = false));
    return last;
  };
}

/** A node that is away is a fault of its own, which other checks report. */
async function askChain(): Promise<number | null> {
  try {
    return await chainAheadMs({ rpc: rpc(), clock: serviceClock() });
  } catch (error) {
    if (!(error instanceof RpcUnavailable) && !(error instanceof RpcRefused))
      log().error({ event: 'chain_clock_unknown', err: error });
    return null;
  }
}

/** Why nothing may be sold by these clocks, as public text; null when they agree. */
export function skewFault({ machineMs, chainMs }: ClockSkew): string | null {
  const faults = [
    isWrong(machineMs) ? `the clock of this machine is ${distance(machineMs)} the database's` : [],
    chainMs !== null && isWrong(chainMs)
      ? `the chain's clock is ${distance(chainMs)} the database's`
      : [],
  ].flat();
  return faults.length === 0 ? null : faults.join('; ');
}

/** Both distances in words, as in `0.1 s ahead of`. */
export function describeSkew({ machineMs, chainMs }: ClockSkew): string {
  const chainWords =
    chainMs === null ? 'the chain has no time' : `the chain ${distance(chainMs)} it`;
  return `this machine ${distance(machineMs)} the database, ${chainWords}`;
}

const isWrong = (ms: number): boolean => Math.abs(ms) > MOST_SKEW_MS;

const distance = (ms: number): string =>
  `${(Math.abs(ms) / 1000).toFixed(1)} s ${ms < 0 ? 'behind' : 'ahead of'}`;
