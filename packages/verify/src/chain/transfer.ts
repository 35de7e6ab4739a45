import { tokenByMint } from '../tokens/token-table';
import type { LeftOut, Leg, LegPrice, Movements, OwnerKind } from './movements';
import { assetOf } from './programs';

/** One payment, proven by the chain. Amounts are base units, parties are owners, times are UTC. */
export type Transfer = {
  signature: string;
  slot: bigint;
  /** Position in its block; left out if no node returned it. */
  blockIndex?: number | undefined;
  blockTime: Date;
  finality: 'confirmed' | 'finalized';
  /** Owner of the debited accounts; not always a signer, and not always the fee payer. */
  payer: string;
  /** `program`: a vault, multisig, escrow or stream, which cannot sign. */
  payerKind: OwnerKind;
  /** Owner of the credited accounts. */
  seller: string;
  sellerKind: OwnerKind;
  /** Mint address; null for native SOL. */
  mint: string | null;
  tokenProgram: string | null;
  decimals: number;
  /** The amount that the seller received. */
  amount: bigint;
  /** The amount that was sent to the seller, before a Token-2022 transfer fee. */
  amountSent: bigint;
  /** Token-2022 transfer fee that the token program held back on the way to the seller. */
  feeWithheld: bigint;
  /**
   * Amounts that others got, and that the seller got in other tokens; largest first within a token.
   */
  otherLegs: Leg[];
  /** Tokens without a valuation that came back to the payer: an NFT, a ticket, a membership. */
  goods: Goods[];
  /** Change: amounts that an exchange returned to the payer. */
  change: Leg[];
  /** Amounts that the payer gave to an exchange that paid the seller; empty without one. */
  paidWith: Leg[];
  leftOut: LeftOut[];
  /** Prices that decided which leg is the transfer; empty when none was needed. */
  prices: LegPrice[];
  feePayer: string;
  memos: string[];
  /** Extra read-only accounts on the transfer instruction (Solana Pay reference keys). */
  references: string[];
};

/** A thing that the payer got for the payment, newly minted or from somebody. */
export type Goods = { mint: string; decimals: number; amount: bigint };

export type TransferRefusal =
  | 'transaction_not_found'
  | 'transaction_failed'
  | 'not_a_payment'
  | 'several_payers'
  | 'several_sellers'
  | 'several_tokens'
  | 'owner_unknown'
  /** Which leg is the payment depends on a price that was never published. */
  | 'rate_not_covered'
  | 'unreadable_transaction';

/** `movements` is null where no balance could be read. Of a failed transaction they are its fee alone. */
export type Refusal = {
  ok: false;
  code: TransferRefusal;
  detail: string;
  movements: Movements | null;
  /**
   * With `rate_not_covered`: it is a payment at any price, so the amounts of each wallet are known.
   */
  areLegsSure?: true;
};

/** Which payment a transaction is, or why it is none. */
export type TransferReading = { ok: true; transfer: Transfer; movements: Movements } | Refusal;

/** A reading that depends on the prices of these mints (null: SOL), which are not known yet. */
export type UnpricedReading = {
  ok: false;
  code: 'price_needed';
  detail: string;
  needs: (string | null)[];
  movements: Movements;
  finality: Transfer['finality'];
};

/** As {@link TransferReading}, by a reader that knows no prices. */
export type TransactionReading = TransferReading | UnpricedReading;

/** A reading that found no transfer, and why. */
export function refuse(
  code: TransferRefusal,
  detail: string,
  movements: Movements | null = null,
): Refusal {
  return { ok: false, code, detail, movements };
}

/** A reading with the finality of its block: settled or not yet. */
export function withFinality(
  reading: TransactionReading,
  finality: Transfer['finality'],
): TransactionReading {
  if (reading.ok) return { ...reading, transfer: { ...reading.transfer, finality } };
  return reading.code === 'price_needed' ? { ...reading, finality } : reading;
}

/** A row of a wallet: one leg of a transaction as that wallet saw it. Amounts are base units. */
export type WalletLeg = {
  /**
   * Place of the leg among all legs of the transaction that are paid, from 0. A tip account or exchange that is listed
   * later may shift it.
   */
  leg: number;
  role: 'payer' | 'seller';
  counterparty: string;
  /** Null for native SOL. */
  mint: string | null;
  tokenProgram: string | null;
  decimals: number;
  /** The amount that the receiver got. */
  amount: bigint;
  amountSent: bigint;
  feeWithheld: bigint;
};

/** Refusals that concern the receipt alone: the amounts of each wallet are known. */
const STATED: ReadonlySet<string> = new Set(['several_sellers', 'several_tokens']);

/** Whether the transaction is known to be a payment, receipt or not, so that each of its legs is a row. */
export function areLegsStated(reading: TransactionReading): boolean {
  if (reading.ok || STATED.has(reading.code)) return true;
  return reading.code === 'rate_not_covered' && reading.areLegsSure === true;
}

/**
 * Every leg of a wallet in a transaction: one row for each token that it received, and one row for
 * each receiver that it paid. Empty when it had no part. When the transaction is not a payment, the
 * result is a reason with the wallet's own legs: those are skipped and named.
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
  const tableOf = reading.movements?.tableOf;
  return (given.find((leg) => isValued(leg, tableOf)) ?? given[0])?.owner ?? null;
}

function isValued({ mint }: Leg, tableOf: Date | undefined): boolean {
  return (['mainnet', 'devnet'] as const).some((network) => {
    const token = tokenByMint(assetOf(mint), network, tableOf);
    return token !== null && token.valuation !== null;
  });
}

/** The received legs, in their order. The payer's own share (goods, change) is not among them. */
function paidLegs(reading: TransactionReading, payer: string | null): Leg[] {
  const legs = reading.movements?.legs ?? [];
  const hidden = new Set(reading.movements?.exchanged ?? []);
  return legs.filter(
    ({ direction, owner }) => direction === 'got' && owner !== payer && !hidden.has(owner),
  );
}
