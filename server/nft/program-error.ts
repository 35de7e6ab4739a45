import { z } from 'zod';

/** Bubblegum: the tree has no room for another leaf. */
export const TREE_FULL = 6017;

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
