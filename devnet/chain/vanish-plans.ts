import type { Chain } from './chain';
import type { TxRecord } from './emulator';
import { vanishTransaction } from './vanish-transaction';

/**
 * The transaction that will disappear: one by signature, the next one, or the next that names an
 * address.
 */
export type VanishTarget = { signature: string } | { next: true } | { touching: string };
type Plan = { target: VanishTarget; afterSlots: number };

export type VanishPlans = ReturnType<typeof planVanishing>;

/**
 * Transactions that will disappear, each some slots after it lands and before it is final. Plans
 * are not saved. A transaction that disappeared stays so.
 */
export function planVanishing(chain: Chain) {
  const latest = chain.finalityLag - 1;
  const armed: Plan[] = [];
  const due = new Map<string, number>();

  chain.onTx.push((record) => {
    const i = armed.findIndex((plan) => matches(plan.target, record));
    const [plan] = i < 0 ? [] : armed.splice(i, 1);
    if (plan) due.set(record.signature, record.slot + plan.afterSlots);
  });

  return {
    /**
     * Throws with a sentence when it is not possible. By default the transaction stays as long as
     * it can.
     */
    plan(target: VanishTarget, afterSlots = latest): void {
      if (latest < 1) throw new Error('with finality under 2 slots nothing can vanish before it');
      if (afterSlots < 1 || afterSlots > latest)
        throw new Error(`afterSlots must be between 1 and ${latest}, before finality`);
      const known = 'signature' in target ? chain.txs.get(target.signature) : undefined;
      if (!known) {
        armed.push({ target, afterSlots });
        return;
      }
      if (known.slot <= chain.finalSlot()) throw new Error('this transaction is final already');
      due.set(known.signature, known.slot + afterSlots);
    },
    /** Carries out the due plans. Called before every read. */
    settle(): void {
      for (const [signature, slot] of due) {
        if (chain.slot() < slot) continue;
        due.delete(signature);
        vanishTransaction(chain, signature);
      }
    },
    clear(): void {
      armed.length = 0;
      due.clear();
    },
    show: () => ({
      armed: armed.map((plan) => ({ ...plan.target, afterSlots: plan.afterSlots })),
      due: Object.fromEntries(due),
    }),
  };
}

function matches(target: VanishTarget, record: TxRecord): boolean {
  if ('signature' in target) return target.signature === record.signature;
  return 'next' in target || record.keys.includes(target.touching);
}
