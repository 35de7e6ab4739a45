import { refuse, type TransferReading } from './transfer';

export type Change = { owner: string; amount: bigint };

/** A receiver of this share of what the payer gave is the seller; the rest are side legs. */
const DOMINANT_PERCENT = 80n;

/**
 * Splits net changes of one token by owner into the payer, the seller and other receivers. Zero changes
 * must be gone already. `gross` gives what was sent to a receiver before any transfer fee.
 */
export function pickSeller(
  changes: readonly Change[],
  gross: (receiver: Change) => bigint,
):
  | { payer: string; given: bigint; seller: Change; others: Change[] }
  | Extract<TransferReading, { ok: false }> {
  const payers = changes.filter(({ amount }) => amount < 0n);
  const receivers = changes.filter(({ amount }) => amount > 0n).sort(largestFirst);
  const [payer] = payers;
  const [seller, ...others] = receivers;
  if (!payer) return refuse('not_a_payment', 'nobody gave anything in this token');
  if (!seller) return refuse('not_a_payment', 'nobody received anything in this token');
  if (payers.length > 1)
    return refuse('several_payers', `${payers.length} wallets paid in this transaction`);
  const given = -payer.amount;
  if (others.length > 0 && gross(seller) * 100n < given * DOMINANT_PERCENT)
    return refuse(
      'several_sellers',
      `${receivers.length} wallets were paid and none received 80 % of what the payer gave`,
    );
  return { payer: payer.owner, given, seller, others };
}

function largestFirst(a: Change, b: Change): number {
  if (a.amount !== b.amount) return a.amount > b.amount ? -1 : 1;
  return a.owner < b.owner ? -1 : 1;
}
