import { isNodeSilence } from '@quittance/verify/chain/rpc-errors';
import type { ServiceContext } from '@/server/context';
import { metrics } from '@/server/metrics';
import { toDecimal } from '@quittance/verify/money';
import { clockSkew } from '@/server/payments/clock-skew';
import { storageBalance } from '@/server/storage/read-storage-account';
import { keptFor } from './read-part';

const SOL_DECIMALS = 9;
/** Balances change slowly and are asked of others. */
const BALANCES_KEPT_MS = 60_000;
const SLOTS_KEPT_MS = 10_000;

const inSol = (lamports: bigint): number => Number(toDecimal(lamports, SOL_DECIMALS));

/** SOL of our keys. */
export const readBalances = keptFor(BALANCES_KEPT_MS, async ({ rpc, env }) => {
  const [minter, feePayer] = await Promise.all([
    rpc.getBalance(env.minter.publicKey),
    rpc.getBalance(env.feePayer.publicKey),
  ]);
  const { sol } = metrics().readings.balances;
  return () => {
    sol.set(inSol(minter), { key: 'minter' });
    sol.set(inSol(feePayer), { key: 'fee_payer' });
  };
});

/** SOL of our account at the storage node. */
export const readStorage = keptFor(BALANCES_KEPT_MS, async ({ env }) => {
  const { storageUploadUrl: uploadUrl, storage } = env;
  const lamports = await storageBalance({ uploadUrl, owner: storage.publicKey });
  return () => metrics().readings.storage.balance.set(inSol(lamports));
});

/** Which nodes answer, and how far each is behind the newest of them. Nodes are numbered as in the settings. */
export const readNodes = keptFor(SLOTS_KEPT_MS, async ({ rpc }) => {
  const slots = await Promise.all(
    Array.from({ length: rpc.nodes }, (_, node) => slotOf(rpc, node)),
  );
  const known = slots.flatMap((slot) => slot ?? []);
  const newest = known.reduce((one, other) => (other > one ? other : one), 0n);
  const { up, behind } = metrics().readings.nodes;
  return () => {
    for (const [index, slot] of slots.entries()) {
      const node = String(index + 1);
      up.set(slot === null ? 0 : 1, { node });
      if (slot !== null) behind.set(Number(newest - slot), { node });
    }
  };
});

async function slotOf(rpc: ServiceContext['rpc'], node: number): Promise<bigint | null> {
  try {
    return await rpc.unmetered.onNode(node).getSlot('confirmed');
  } catch (error) {
    if (isNodeSilence(error)) return null;
    throw error;
  }
}

/** How far the clocks of this machine and of the chain are from the database's, as it was last heard. */
export async function readClocks(): Promise<() => void> {
  const { machineMs, chainMs } = await clockSkew();
  const { skew } = metrics().readings.clocks;
  return () => {
    skew.set(machineMs / 1000, { clock: 'machine' });
    if (chainMs !== null) skew.set(chainMs / 1000, { clock: 'chain' });
  };
}
