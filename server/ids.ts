import { randomInt, randomUUID } from 'node:crypto';

/** Crockford's base 32: digits and capitals without I, L, O, U, which people misread. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

export { RECEIPT_ID, STATEMENT_ID } from '@quittance/verify/receipts/ids';

/** A quote's id is also the memo of its payment, so it must not look like anything people write. */
export const QUOTE_ID = /^QT[0-9A-HJKMNP-TV-Z]{18}$/;

/** Random source of ids; tests pass a fixed one. */
export type Ids = {
  receiptId(): string;
  statementId(): string;
  requestId(): string;
  quoteId(): string;
  paymentId(): string;
};

export const randomIds: Ids = {
  receiptId: () => random(12),
  statementId: () => `STMT${random(8)}`,
  requestId: () => randomUUID(),
  quoteId: () => `QT${random(18)}`,
  paymentId: () => `PAY${random(17)}`,
};

function random(length: number): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
