import { type TransactionReading, walletLegs } from '../chain/transfer';
import type { Outcome } from '../receipts/check-line';
import { isUntold } from '../receipts/check-facts';
import type { StatementItem } from './statement-rows';
import { mainLeg } from './select-legs';

/**
 * Whether a row matches its transaction for the wallet of the statement. The value in US dollars,
 * the symbol and its code are in no transaction.
 */
export function compareWithChain(o: {
  row: StatementItem;
  payment: TransactionReading;
  wallet: string;
}): { outcome: Outcome; detail: string } {
  const { row, payment, wallet } = o;
  const found = walletLegs(payment, wallet);
  if ('skipped' in found || !payment.movements)
    return {
      outcome: isUntold(payment) ? 'unknown' : 'failed',
      detail: payment.ok ? 'nothing moved' : payment.detail,
    };
  if (row.leg === undefined && !payment.ok)
    return { outcome: 'unknown', detail: `which leg it is depends on prices: ${payment.detail}` };
  const part =
    row.leg === undefined
      ? payment.ok && mainLeg(found.rows, { transfer: payment.transfer, wallet })
      : found.rows.find(({ leg }) => leg === row.leg);
  // Without the calls it made, a transaction may look like another payment.
  const differs = isUntold(payment) ? 'unknown' : 'failed';
  if (!part) return { outcome: differs, detail: `the transaction has no such leg of ${wallet}` };
  const { signature, blockTime, slot } = payment.movements;
  const seen: Partial<StatementItem> = {
    tx_signature: signature,
    block_time: blockTime.toISOString(),
    slot: Number(slot),
    role: part.role,
    counterparty: part.counterparty,
    mint: part.mint,
    amount_raw: part.amount.toString(),
    decimals: part.decimals,
    ...(row.leg !== undefined && {
      leg: part.leg,
      amount_sent_raw: part.amountSent.toString(),
      fee_withheld_raw: part.feeWithheld.toString(),
    }),
  };
  const said = new Map<string, unknown>(Object.entries(row));
  const wrong = Object.entries(seen).filter(([name, value]) => said.get(name) !== value);
  return wrong.length === 0
    ? { outcome: 'held', detail: `${part.role} of ${part.amount} base units` }
    : {
        outcome: differs,
        detail: wrong
          .map(([name, value]) => `${name} is ${String(value)}, not ${String(said.get(name))}`)
          .join('; '),
      };
}
