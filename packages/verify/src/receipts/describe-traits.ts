/**
 * The trait types of a receipt's metadata, shared by the code that writes it and the code that
 * checks it. They are written into permanent storage; never rename one, only add.
 */
export const TRAITS = {
  receiptId: 'Receipt ID',
  issuedAt: 'Issued at (UTC)',
  network: 'Network',
  transaction: 'Transaction',
  slot: 'Slot',
  paidAt: 'Paid at (UTC)',
  payer: 'Payer',
  seller: 'Seller',
  amount: 'Amount',
  amountRaw: 'Amount in base units',
  decimals: 'Decimals',
  token: 'Token',
  mint: 'Mint',
  tokenProgram: 'Token program',
  amountSent: 'Amount sent',
  feeWithheld: 'Transfer fee withheld',
  otherPayees: 'Other payees',
  usdValue: 'Value in USD',
  usdBasis: 'Basis of USD value',
  usdSource: 'Source of USD value',
  dtiCode: 'DTI code',
  dtiGroupCode: 'DTI group code',
  serviceType: 'Service type',
  transactionType: 'Transaction type',
  invoiceId: 'Invoice number',
  payerKind: 'Payer account',
  sellerKind: 'Seller account',
  goods: 'Goods',
  paidWith: 'Paid with',
  change: 'Change',
  leftOut: 'Left out',
  prices: 'Prices behind the choice',
  template: 'Template',
} as const;

/** `Other payee 1`, `Other payee 2`, ...: an address and an amount from the transaction. */
export const otherPayeeTrait = (number: number): string => `Other payee ${number}`;

/** `Goods 1`, `Goods 2`, ...: one of several things that a trait counts. */
export const numberedTrait = (trait: string, number: number): string => `${trait} ${number}`;

/** The value of `Mint` for SOL itself, which has no mint account. */
export const NATIVE_SOL = 'native SOL';

/**
 * CAIP-2 names (`solana:` and 32 characters of the genesis hash). The chain of the embedded stack
 * has a name that no wallet mistakes for one of them.
 */
export const NETWORK_NAMES = {
  mainnet: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  devnet: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
  local: 'local test chain',
} as const;
