import { z } from 'zod';

/** Bubblegum: the tree has no room for another leaf. */
export const TREE_FULL = 6017;

/** Why a mint transaction was not sent: its key could not pay for it. Nobody refused the mint. */
export const MINTER_CANNOT_PAY = 'the minter has too little SOL to pay for the mint';

/** Protocol fee of the Bubblegum program for each mint, and the network fee of its transaction. */
export const MINT_LAMPORTS = 90_000n + 5_000n;

const noMoney = z.union([
  z.enum(['AccountNotFound', 'InsufficientFundsForFee']),
  z.object({ InsufficientFundsForRent: z.object({ account_index: z.literal(0) }) }),
]);

/** Whether the `err` of a transaction says that its fee payer cannot pay. */
export function isLackOfMoney(err: unknown): boolean {
  return noMoney.safeParse(err).success;
}

const custom = z.object({
  InstructionError: z.tuple([z.number(), z.object({ Custom: z.number() })]),
});

/** Code that a program failed with, from the `err` of a transaction; null when it failed otherwise. */
export function programErrorCode(err: unknown): number | null {
  const parsed = custom.safeParse(err);
  return parsed.success ? parsed.data.InstructionError[1].Custom : null;
}

/** One line about the `err` of a transaction, for `lastError`. */
export function describeError(err: unknown): string {
  const code = programErrorCode(err);
  return code === null ? JSON.stringify(err) : `program error ${code}`;
}
