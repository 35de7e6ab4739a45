import type { Env } from '@/server/env';
import { MINT_LAMPORTS } from '@/server/nft/program-error';

/** What one payment costs at the limits of server/payments/facilitator/scan-wire.ts, a thousand times. */
export const LEAST_FEE_PAYER_LAMPORTS = 1_000n * 22_000n;

/** Compute units that a mint may use, for its priority fee. */
const MINT_UNITS = 100_000n;
const MINTS_AHEAD = 100n;

/** Lamports of one mint, priority fee included. */
export function mintLamports(env: Pick<Env, 'mintPriorityFeeMicroLamports'>): bigint {
  return MINT_LAMPORTS + (BigInt(env.mintPriorityFeeMicroLamports) * MINT_UNITS) / 1_000_000n;
}

/** Below this the minter might not make what is being paid for. */
export function leastMinterLamports(env: Pick<Env, 'mintPriorityFeeMicroLamports'>): bigint {
  return MINTS_AHEAD * mintLamports(env);
}

/** What the storage balance must hold out for, where items of our size cost anything. */
export const STORED_AHEAD = { items: 200n, bytes: 64 * 1024 } as const;

/** Leaves that must be left beside those of the mints that wait, before anything more is sold. */
export const LEAST_TREE_SPACE = 20n;
