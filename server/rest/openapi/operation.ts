import type { z } from 'zod';
import type { ErrorCode } from '@/server/errors';

type Parameter = {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description: string;
  example?: string;
};

/** One operation of the REST interface, as the API description and the docs page tell it. */
export type Operation = {
  id: string;
  method: 'get' | 'post' | 'delete';
  path: string;
  tag: 'Receipts' | 'Statements' | 'Transactions' | 'Wallets' | 'Payments' | 'Service' | 'Admin';
  summary: string;
  description: string;
  parameters: readonly Parameter[];
  body?: { schema: z.ZodType; example: Record<string, unknown> };
  answer: { description: string; schema: z.ZodType } | { description: string; media: string };
  errors: readonly ErrorCode[];
  /** Route of the price list that says what it costs. */
  price?: string;
};

/** Parameters by the place they stand in. */
export const path = (name: string, description: string): Parameter => ({
  ...{ name, in: 'path', required: true, description },
});
export const query = (name: string, description: string, example?: string): Parameter => ({
  ...{ name, in: 'query', required: false, description },
  ...(example === undefined ? {} : { example }),
});
export const header = (name: string, description: string): Parameter => ({
  ...{ name, in: 'header', required: false, description },
});

export const TX = 'a transaction signature: base58 of 64 bytes';
export const receiptIdPath = path('receipt_id', 'Id of a receipt: 12 digits and capital letters.');
export const statementIdPath = path(
  'statement_id',
  'Id of a statement: STMT and 8 digits and capital letters.',
);

/** Proof of wallet over a text that holds the time. */
export const registering = (text: string): readonly Parameter[] => [
  header('X-Wallet-Address', 'The wallet itself.'),
  header('X-Wallet-Signature', `Base58 Ed25519 signature by it over \`quittance:${text}\`.`),
  header(
    'X-Wallet-Time',
    'The same time, ISO 8601 in UTC, within ten minutes of now; counts once.',
  ),
];
