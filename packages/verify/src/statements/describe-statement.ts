/**
 * The trait types of a statement's metadata: what describes a statement and what checks one agree on
 * these names. They are written into permanent storage; never rename one, only add.
 */
export const STATEMENT_TRAITS = {
  statementId: 'Statement ID',
  issuedAt: 'Issued at (UTC)',
  network: 'Network',
  wallet: 'Wallet',
  selection: 'Selection',
  firstDay: 'First day (UTC)',
  lastDay: 'Last day (UTC)',
  count: 'Transactions',
  /** Legs listed; a statement of before has one for each transaction, and no such trait. */
  rows: 'Rows',
  totalUsd: 'Turnover in USD',
  asPayerUsd: 'Paid in USD',
  asSellerUsd: 'Received in USD',
  csvSha256: 'SHA-256 of the CSV',
  merkleRoot: 'Merkle root of the rows',
} as const;

/** `Paid in USDC`, `Received in USDC`: one pair for each token of the rows. */
export const paidTrait = (token: string): string => `Paid in ${token}`;
export const receivedTrait = (token: string): string => `Received in ${token}`;

/** What `Selection` says of the two ways to choose transactions. */
export const SELECTIONS = {
  list: 'transactions named by the wallet',
  scan: 'all payments found in the period',
} as const;
