import { RECENT_BLOCKHASHES } from '@quittance/verify/chain/programs';
import { RpcRefused, RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import bs58 from 'bs58';
import { BLOCKHASH_LIFE_BLOCKS } from '@/server/chain/landing-margin';
import type { Rpc, Simulation } from '@/server/chain/rpc';
import { LARGEST_COST_LAMPORTS } from './scan-wire';

export type SimulatedPayment =
  | {
      ok: true;
      /** Owner of the account that is debited. */
      owner: string;
    }
  | { ok: false; reason: string; detail: string | null };

type Payment = { wireBase64: string; blockhash: string; feePayer: string; source: string };

/** Owner of a token account: after the 32 bytes of its mint (SPL Token, state.rs). */
const OWNER_AT = 32;
/** A slot is 400 ms, so two reads side by side nearly always meet in one. */
const MOST_TRIES = 8;

/**
 * Runs a payment on a node before it is signed. It must not fail, must cost the fee payer no more
 * than signatures and compute units do, and its blockhash must last long enough. The bytes already
 * show the cost; this is the second check. Moves nothing. Throws RpcUnavailable.
 */
export async function simulatePayment(
  rpc: Pick<Rpc, 'simulateTransaction' | 'seeBalance'>,
  o: Payment,
): Promise<SimulatedPayment> {
  const { simulation, before } = await simulateWithBalance(rpc, o);
  if (simulation.err !== null) return refused(JSON.stringify(simulation.err));
  const [feePayer, source, hashes] = simulation.accounts;
  if (!feePayer || !source) return refused('the node shows no account of the payment');
  if (before - feePayer.lamports > LARGEST_COST_LAMPORTS)
    return { ok: false, reason: 'invalid_exact_svm_fee_payer_spends_too_much', detail: null };
  if (!hashes) throw new RpcUnavailable('the node shows no recent blockhashes');
  const left = blocksLeft(hashes.data, o.blockhash);
  if (left === null || left < LEAST_BLOCKS_LEFT)
    return { ok: false, reason: 'invalid_exact_svm_payload_blockhash_nearly_over', detail: null };
  return { ok: true, owner: bs58.encode(source.data.subarray(OWNER_AT, OWNER_AT + 32)) };
}

/**
 * The simulation and the balance of the fee payer before it. Newer nodes return both at once (Agave
 * 3.0). For others the balance is read in parallel until both come from the same slot. Otherwise
 * another payment of the fee payer between the two would hide or add a cost.
 */
async function simulateWithBalance(
  rpc: Pick<Rpc, 'simulateTransaction' | 'seeBalance'>,
  o: Payment,
): Promise<{ simulation: Simulation; before: bigint }> {
  const first = await simulate(rpc, o);
  const [told] = first.lamportsBefore;
  if (first.err !== null || told !== undefined) return { simulation: first, before: told ?? 0n };
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const [simulation, balance] = await Promise.all([simulate(rpc, o), rpc.seeBalance(o.feePayer)]);
    if (simulation.err !== null) return { simulation, before: 0n };
    if (simulation.slot === balance.slot) return { simulation, before: balance.lamports };
  }
  throw new RpcUnavailable('a payment could not be simulated at the slot of its balance');
}

async function simulate(rpc: Pick<Rpc, 'simulateTransaction'>, o: Payment): Promise<Simulation> {
  try {
    return await rpc.simulateTransaction(o.wireBase64, {
      accounts: [o.feePayer, o.source, RECENT_BLOCKHASHES],
    });
  } catch (error) {
    if (!(error instanceof RpcRefused)) throw error;
    return { err: error.message, accounts: [], lamportsBefore: [], slot: 0n };
  }
}

function refused(detail: string): SimulatedPayment {
  return { ok: false, reason: 'invalid_exact_svm_transaction_simulation_failed', detail };
}

/**
 * Blocks that must be left of a payment's blockhash when it is verified. Sending takes a few. A
 * payment with fewer left could be made to expire, and would block its purchase until the expiry is
 * proven.
 */
const LEAST_BLOCKS_LEFT = 60n;

/** Layout of the account of recent blockhashes: a count (u64), then hash and fee of each, newest first. */
const COUNT_BYTES = 8;
const HASH_BYTES = 32;
const ENTRY_BYTES = 40;

/**
 * For how many more blocks a blockhash is accepted, by the data of the system account of recent
 * blockhashes (agave, sdk/sysvar/src/recent_blockhashes.rs). Null for a hash that the account does
 * not hold.
 */
function blocksLeft(data: Uint8Array, blockhash: string): bigint | null {
  const wanted = Buffer.from(bs58.decode(blockhash));
  const bytes = Buffer.from(data);
  for (let at = COUNT_BYTES; at + ENTRY_BYTES <= bytes.length; at += ENTRY_BYTES) {
    if (!wanted.equals(bytes.subarray(at, at + HASH_BYTES))) continue;
    return BLOCKHASH_LIFE_BLOCKS - BigInt((at - COUNT_BYTES) / ENTRY_BYTES);
  }
  return null;
}
