import { chainAheadMs } from '@/server/chain/chain-ahead';
import { rpc } from '@/server/chain/rpc';
import { RpcRefused, RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import { log } from '@/server/log';
import { serviceClock } from '@/server/service-clock';

/** Beyond this a clock counts as wrong, and nothing more is sold. */
const MOST_SKEW_MS = 30_000;

/** How far clocks are ahead of the database's, in milliseconds; negative: behind. */
export type ClockSkew = {
  /** This machine's own clock. Only libraries and the log read it. */
  machineMs: number;
  /** The chain's. Null while no node tells a time. */
  chainMs: number | null;
};

/** The chain's clock is asked for this often: three calls. */
const CHAIN_ASKED_EVERY_MS = 20_000;
let chain: { askedAt: number; aheadMs: number | null; first: Promise<void> } | undefined;

/**
 * How far the clocks of this machine and of the chain are from the database's: the machine's as of now, the
 * chain's as it was last told. Only the first call waits for a node.
 */
export async function clockSkew(): Promise<ClockSkew> {
  const known = (chain ??= { askedAt: -Infinity, aheadMs: null, first: Promise.resolve() });
  const isFirst = known.askedAt === -Infinity;
  if (performance.now() - known.askedAt > CHAIN_ASKED_EVERY_MS) {
    known.askedAt = performance.now();
    const asked = askChain().then((aheadMs) => void (known.aheadMs = aheadMs));
    if (isFirst) known.first = asked;
  }
  await known.first;
  return { machineMs: serviceClock().systemAheadMs(), chainMs: known.aheadMs };
}

/** A node that is away is a fault of its own, which other looks report. */
async function askChain(): Promise<number | null> {
  try {
    return await chainAheadMs({ rpc: rpc(), clock: serviceClock() });
  } catch (error) {
    if (!(error instanceof RpcUnavailable) && !(error instanceof RpcRefused))
      log().error({ event: 'chain_clock_unknown', err: error });
    return null;
  }
}

/** Why nothing may be sold by these clocks, for everyone to read; null when they agree. */
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
    chainMs === null ? 'the chain tells no time' : `the chain ${distance(chainMs)} it`;
  return `this machine ${distance(machineMs)} the database, ${chainWords}`;
}

const isWrong = (ms: number): boolean => Math.abs(ms) > MOST_SKEW_MS;

const distance = (ms: number): string =>
  `${(Math.abs(ms) / 1000).toFixed(1)} s ${ms < 0 ? 'behind' : 'ahead of'}`;
