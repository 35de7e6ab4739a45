import { ADMIN_MONEY_OPERATIONS, ADMIN_OPERATIONS } from './admin';
import type { Operation } from './operation';
import { RECEIPT_OPERATIONS } from './receipts';
import { SERVICE_OPERATIONS } from './service';
import { STATEMENT_OPERATIONS } from './statements';
import { TRANSACTION_OPERATIONS } from './transactions';
import { WALLET_OPERATIONS } from './wallets';

/** Every operation of the REST interface, once. */
export const OPERATIONS: readonly Operation[] = [
  ...RECEIPT_OPERATIONS,
  ...STATEMENT_OPERATIONS,
  ...TRANSACTION_OPERATIONS,
  ...WALLET_OPERATIONS,
  ...SERVICE_OPERATIONS,
  ...ADMIN_OPERATIONS,
  ...ADMIN_MONEY_OPERATIONS,
];
