import { z } from 'zod';

/** Lamports: whole, never negative. A string when the number would not survive a JSON parser. */
const lamports = z.union([z.number().nonnegative(), z.string().regex(/^\d{1,20}$/)]);

const tokenBalance = z.looseObject({
  accountIndex: z.number().int().nonnegative(),
  mint: z.string(),
  owner: z.string().nullish(),
  programId: z.string().nullish(),
  uiTokenAmount: z.looseObject({
    amount: z.string().regex(/^\d{1,20}$/),
    decimals: z.number().int().min(0).max(255),
  }),
});

/** How deep an instruction was called: 1 at the top; older nodes leave it out. */
const stackHeight = z.number().int().positive().nullish();

/** `json` and base64 instructions, whose accounts are indexes into the transaction's keys. */
const compiledInstruction = z.looseObject({
  programIdIndex: z.number().int().nonnegative(),
  accounts: z.array(z.number().int().nonnegative()),
  data: z.string(),
  stackHeight,
});
/** `jsonParsed` instructions that the node could read. */
const parsedInstruction = z.looseObject({
  programId: z.string(),
  parsed: z.union([z.string(), z.looseObject({ type: z.string(), info: z.unknown().optional() })]),
  stackHeight,
});
/** `jsonParsed` instructions that the node could not read. */
const partlyParsedInstruction = z.looseObject({
  programId: z.string(),
  accounts: z.array(z.string()),
  data: z.string(),
  stackHeight,
});
const instruction = z.union([compiledInstruction, parsedInstruction, partlyParsedInstruction]);

const accountKey = z.union([
  z.string(),
  z.looseObject({ pubkey: z.string(), signer: z.boolean().optional() }),
]);

const message = z.looseObject({
  accountKeys: z.array(accountKey),
  header: z.looseObject({ numRequiredSignatures: z.number().int().nonnegative() }).optional(),
  instructions: z.array(instruction),
});

/**
 * A transaction as `getTransaction` gives it, in any of the encodings `json`, `jsonParsed` and `base64`.
 * Fields that came later on the chain (`owner`, `programId`, `loadedAddresses`, `version`) may be absent.
 */
export const rawTransactionSchema = z.looseObject({
  slot: z.number().int().nonnegative(),
  blockTime: z.number().int().nullish(),
  /** Position in its block; nodes before agave 4.0 do not return it. */
  transactionIndex: z.number().int().nonnegative().nullish(),
  version: z.union([z.literal('legacy'), z.number()]).optional(),
  transaction: z.union([
    z.tuple([z.string(), z.literal('base64')]),
    z.looseObject({ signatures: z.array(z.string()).min(1), message }),
  ]),
  meta: z
    .looseObject({
      err: z.unknown(),
      fee: lamports,
      preBalances: z.array(lamports),
      postBalances: z.array(lamports),
      preTokenBalances: z.array(tokenBalance).nullish(),
      postTokenBalances: z.array(tokenBalance).nullish(),
      innerInstructions: z
        .array(
          z.looseObject({
            index: z.number().int().nonnegative(),
            instructions: z.array(instruction),
          }),
        )
        .nullish(),
      loadedAddresses: z
        .looseObject({ writable: z.array(z.string()), readonly: z.array(z.string()) })
        .nullish(),
    })
    .nullable(),
});

export type RawTransaction = z.infer<typeof rawTransactionSchema>;
export type RawInstruction = z.infer<typeof instruction>;
export type RawTokenBalance = z.infer<typeof tokenBalance>;
