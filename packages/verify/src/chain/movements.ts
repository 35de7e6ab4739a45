/**
 * The effect of a transaction on the balances of every owner, before any judgement about the
 * payment. Amounts are base units and above zero; a mint of null is SOL.
 */
export type Movements = {
  signature: string;
  slot: bigint;
  /** Position in its block; left out if no node returned it. */
  blockIndex?: number | undefined;
  blockTime: Date;
  feePayer: string;
  /** Amounts that each owner gave and got: by token, given ones first, the largest first. */
  legs: Leg[];
  /**
   * Balance changes that are not legs. Together with the legs they are the change of every balance.
   */
  leftOut: LeftOut[];
  /** Program accounts that gave one token and got another in a listed exchange program. */
  exchanged: string[];
  memos: string[];
  /** Whether a program was called that moves assets without token balances (MPL Core, compressed NFTs). */
  hasHiddenAssets: boolean;
  /** False when the node kept no record of inner instructions. */
  hasInner: boolean;
  /** Judged by the tokens with a valuation at this time; the default is today. */
  tableOf?: Date | undefined;
  /**
   * The reading before tip accounts or exchanges in it were listed, by the day from which these
   * count, earliest first. Left out when it names none that was listed later.
   */
  earlier?: readonly { before: Date; movements: Movements }[] | undefined;
};

/** Program accounts cannot sign. `unknown`: the transaction does not prove who owns the token account. */
export type OwnerKind = 'wallet' | 'program' | 'unknown';

/**
 * The amount that one owner gave or got in one token. Native and wrapped SOL of an owner are one
 * token.
 */
export type Leg = {
  /** A wallet or a program account; for an unknown owner `?` and the token account. */
  owner: string;
  kind: OwnerKind;
  direction: 'given' | 'got';
  /** Null for SOL; the wrapped SOL mint when all of it moved wrapped. */
  mint: string | null;
  tokenProgram: string | null;
  decimals: number;
  /** Change of the owner's balances, without left-out movements. */
  amount: bigint;
  /** Like `amount`, before a Token-2022 transfer fee; the same for given amounts. */
  amountSent: bigint;
  /** Whether transfer instructions show it, and not the balances alone. */
  isShown: boolean;
  /** Whether nothing shows that there is a second unit of the token. */
  isNft: boolean;
  /** Extra read-only accounts on the transfers to this owner (Solana Pay reference keys). */
  references: string[];
};

/** Why something changed balances and is no leg. */
export const LEFT_OUT_REASONS = [
  'network_fee',
  'priority_fee',
  // Rent of an account that is opened, returned by one that is closed, or of one that grows.
  'rent_opened',
  'rent_returned',
  'rent_grown',
  // Rent inside a token account that gets another owner.
  'rent_handed_over',
  // Up to 0.01 SOL into a program account that gave none.
  'account_funding',
  // To a published account of a relay or a block engine.
  'tip',
  // Between accounts of one owner, which changes no balance of his; a stake or vote account is its withdrawer's.
  'self_transfer',
  'minted',
  'burned',
] as const;

export type LeftOutReason = (typeof LEFT_OUT_REASONS)[number];

/** One movement that is not a leg: `from` loses the amount, `to` gains it. Null: no owner. */
export type LeftOut = {
  reason: LeftOutReason;
  from: string | null;
  to: string | null;
  /** The account whose rent it is, or that was minted to or burned from. */
  account: string | null;
  /** Null for SOL. */
  mint: string | null;
  decimals: number;
  amount: bigint;
};

/** A price by which a reading weighed legs of different tokens against each other. */
export type LegPrice = {
  /** Null for SOL, native and wrapped. */
  mint: string | null;
  /** US dollars for one unit, exact. */
  usdPerUnit: { num: bigint; den: bigint };
  basis: 'par' | 'fx' | 'market';
  /** Where the price is from; null at par. */
  source: string | null;
};
