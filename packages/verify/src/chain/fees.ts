import type { LeftOut } from './movements';
import type { NormalTransaction } from './normalise-transaction';
import { SIGNATURE_CHECKS, SIGNATURE_FEE_LAMPORTS, SOL_DECIMALS } from './programs';

/** The fees of the network: 5,000 lamports a signature, and the priority fee above it. */
export function listFees(tx: NormalTransaction): LeftOut[] {
  const signatures = BigInt(tx.signatureCount + checkedSignatures(tx));
  const base = signatures * SIGNATURE_FEE_LAMPORTS;
  const network = tx.fee < base ? tx.fee : base;
  const fee = (reason: 'network_fee' | 'priority_fee', amount: bigint): LeftOut[] =>
    amount === 0n
      ? []
      : [
          {
            reason,
            from: tx.feePayer,
            to: null,
            account: null,
            mint: null,
            decimals: SOL_DECIMALS,
            amount,
          },
        ];
  return [...fee('network_fee', network), ...fee('priority_fee', tx.fee - network)];
}

/** Signatures that instructions have checked; the first byte of each counts them. */
function checkedSignatures({ instructions }: NormalTransaction): number {
  return instructions
    .filter(({ programId }) => SIGNATURE_CHECKS.has(programId))
    .reduce((sum, { data }) => sum + (data?.[0] ?? 0), 0);
}
