import type { Leg } from './movements';
import { listTokens } from '../tokens/token-table';
import { assetOf } from './programs';
import type { TransactionReading, TransferRefusal } from './transfer';

/** A row of a wallet: one leg of a transaction as that wallet saw it. Amounts are base units. */
export type WalletLeg = {
  /** Place of the leg among all legs of the transaction that are paid, from 0: stable for ever. */
  leg: number;
  role: 'payer' | 'seller';
  counterparty: string;
  /** Null for native SOL. */
  mint: string | null;
  tokenProgram: string | null;
  decimals: number;
  /** What the receiver got. */
  amount: bigint;
  amountSent: bigint;
  feeWithheld: bigint;
};

/** Refusals that concern the receipt alone: what each wallet gave and got is known. */
const STATED: ReadonlySet<string> = new Set(['several_sellers', 'several_tokens']);

/** Whether the transaction is known to be a payment, receipt or not, so that each of its legs is a row. */
export function areLegsStated(reading: TransactionReading): boolean {
  if (reading.ok || STATED.has(reading.code)) return true;
  return reading.code === 'rate_not_covered' && reading.areLegsSure === true;
}

/**
 * Every leg of a wallet in a transaction: one row for what it received of each token, and as many rows as
 * there are receivers where it paid. Empty when it had no part. A reason instead, with the wallet's own legs,
 * when the transaction is no payment: those are skipped and named.
 */
export function walletLegs(
  reading: TransactionReading,
  wallet: string,
): { rows: WalletLeg[] } | { skipped: TransferRefusal; legs: Leg[] } {
  const { movements } = reading;
  if (!reading.ok && reading.code !== 'price_needed' && !areLegsStated(reading))
    return {
      skipped: reading.code,
      legs: movements?.legs.filter(({ owner }) => owner === wallet) ?? [],
    };
  const payer = payerOf(reading);
  const paid = paidLegs(reading, payer);
  const rows = paid.flatMap((leg, place): WalletLeg[] => {
    if (payer === null || (wallet !== payer && wallet !== leg.owner)) return [];
    const isPayer = wallet === payer;
    return [
      {
        leg: place,
        role: isPayer ? 'payer' : 'seller',
        counterparty: isPayer ? leg.owner : payer,
        mint: leg.mint,
        tokenProgram: leg.tokenProgram,
        decimals: leg.decimals,
        amount: leg.amount,
        amountSent: leg.amountSent,
        feeWithheld: leg.amountSent - leg.amount,
      },
    ];
  });
  return { rows };
}

/** The one that gave something valued; there is no second. */
function payerOf(reading: TransactionReading): string | null {
  if (reading.ok) return reading.transfer.payer;
  const legs = reading.movements?.legs ?? [];
  const exchanged = reading.movements?.exchanged ?? [];
  const given = legs.filter(
    ({ direction, owner }) => direction === 'given' && !exchanged.includes(owner),
  );
  return (given.find(isValued) ?? given[0])?.owner ?? null;
}

const valued: ReadonlySet<string | null> = new Set(
  (['mainnet', 'devnet'] as const).flatMap((network) =>
    listTokens(network).flatMap(({ mint, valuation }) => (valuation === null ? [] : [mint])),
  ),
);

function isValued({ mint }: Leg): boolean {
  return valued.has(assetOf(mint));
}

/** What was received, in the order of the legs: the payer's own share (goods, change) is none of it. */
function paidLegs(reading: TransactionReading, payer: string | null): Leg[] {
  const legs = reading.movements?.legs ?? [];
  const hidden = new Set(reading.movements?.exchanged ?? []);
  return legs.filter(
    ({ direction, owner }) => direction === 'got' && owner !== payer && !hidden.has(owner),
  );
}
