import {
  type Transfer,
  type TransferReading,
  type TransferRefusal,
  type WalletLeg,
  walletLegs,
} from '../chain/transfer';

/** A leg of a transaction in the form of a statement. */
export type StatedLeg = {
  signature: string;
  blockTime: Date;
  leg: WalletLeg;
  /** Whether a receipt of the transaction is about it: then it has the value of that receipt. */
  isReceipted: boolean;
};

/** Every leg of a wallet in a transaction, or why the transaction is no payment of it. */
export function statedLegs(
  { signature, reading }: { signature: string; reading: TransferReading },
  wallet: string,
): { legs: StatedLeg[] } | { code: TransferRefusal | 'wallet_not_involved'; detail: string } {
  const found = walletLegs(reading, wallet);
  if ('skipped' in found) return { code: found.skipped, detail: reading.ok ? '' : reading.detail };
  const blockTime = reading.movements?.blockTime;
  if (found.rows.length === 0 || !blockTime)
    return { code: 'wallet_not_involved', detail: `it is no payment to or from ${wallet}` };
  const transfer = reading.ok ? reading.transfer : null;
  const legs = found.rows.map((leg) => ({
    signature,
    blockTime,
    leg,
    isReceipted: transfer !== null && isLegOf(leg, { transfer, wallet }),
  }));
  return { legs };
}

/**
 * The leg of a wallet that is the transfer of its transaction, by the rule before further legs were
 * listed.
 */
export function mainLeg(
  rows: readonly WalletLeg[],
  o: { transfer: Transfer; wallet: string },
): WalletLeg | null {
  const own = rows.find((leg) => isLegOf(leg, o));
  return own ?? rows.find(({ mint }) => mint === o.transfer.mint) ?? null;
}

function isLegOf(leg: WalletLeg, o: { transfer: Transfer; wallet: string }): boolean {
  const { transfer, wallet } = o;
  const receiver = leg.role === 'payer' ? leg.counterparty : wallet;
  return (
    receiver === transfer.seller && leg.mint === transfer.mint && leg.amount === transfer.amount
  );
}
