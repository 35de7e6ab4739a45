import type { TransferReading } from '@/server/chain/transfer';
import type { StatementItem } from './present-row';
import { partOf } from './statement-row';

/**
 * Whether a row is what its transaction was for the wallet of the statement. The value in US dollars, the
 * symbol and its code are the issuer's word, which no transaction holds.
 */
export function compareWithChain(o: {
  row: StatementItem;
  payment: TransferReading;
  wallet: string;
}): { held: boolean; detail: string } {
  const { row, payment, wallet } = o;
  if (!payment.ok) return { held: false, detail: payment.detail };
  const { transfer } = payment;
  const part = partOf(transfer, wallet);
  if (!part) return { held: false, detail: `the transaction does not involve ${wallet}` };
  const seen: Partial<StatementItem> = {
    tx_signature: transfer.signature,
    block_time: transfer.blockTime.toISOString(),
    slot: Number(transfer.slot),
    role: part.role,
    counterparty: part.counterparty,
    mint: transfer.mint,
    amount_raw: part.amountRaw.toString(),
    decimals: transfer.decimals,
  };
  const said = new Map<string, unknown>(Object.entries(row));
  const wrong = Object.entries(seen).filter(([name, value]) => said.get(name) !== value);
  return wrong.length === 0
    ? { held: true, detail: `${part.role} of ${part.amountRaw} base units` }
    : {
        held: false,
        detail: wrong
          .map(([name, value]) => `${name} is ${String(value)}, not ${String(said.get(name))}`)
          .join('; '),
      };
}
