import { z } from 'zod';

const compiled = z.object({
  programIdIndex: z.number(),
  accounts: z.array(z.number()),
  data: z.string(),
  stackHeight: z.number().nullish(),
});
const partlyParsed = z.object({
  programId: z.string(),
  accounts: z.array(z.string()).optional(),
  data: z.string().optional(),
  parsed: z.unknown().optional(),
  stackHeight: z.number().nullish(),
});
const instruction = z.union([compiled, partlyParsed]);
export type PrintedInstruction = z.infer<typeof instruction>;
export type PrintedParsed = z.infer<typeof partlyParsed>;

const lookup = z.object({
  accountKey: z.string(),
  readonlyIndexes: z.array(z.number()),
  writableIndexes: z.array(z.number()),
});
const parsedKey = z.object({
  pubkey: z.string(),
  signer: z.boolean(),
  writable: z.boolean(),
  source: z.enum(['transaction', 'lookupTable']).optional(),
});
export type PrintedKey = z.infer<typeof parsedKey>;

const jsonMessage = z.object({
  accountKeys: z.array(z.string()),
  header: z.object({
    numRequiredSignatures: z.number(),
    numReadonlySignedAccounts: z.number(),
    numReadonlyUnsignedAccounts: z.number(),
  }),
  instructions: z.array(compiled),
  recentBlockhash: z.string(),
  addressTableLookups: z.array(lookup).nullish(),
});
export type JsonMessage = z.infer<typeof jsonMessage>;

const parsedMessage = z.object({
  accountKeys: z.array(parsedKey),
  instructions: z.array(partlyParsed),
  recentBlockhash: z.string(),
  addressTableLookups: z.array(lookup).nullish(),
});
export type ParsedMessage = z.infer<typeof parsedMessage>;

const signatures = z.array(z.string());
const loadedAddresses = z.object({
  writable: z.array(z.string()),
  readonly: z.array(z.string()),
});

/**
 * A result of `getTransaction` in any of the three encodings, with the fields that are read here.
 */
export const recordedResult = z.object({
  slot: z.number(),
  blockTime: z.number().nullish(),
  version: z.union([z.literal('legacy'), z.literal(0)]).optional(),
  transaction: z.union([
    z.tuple([z.string(), z.literal('base64')]),
    z.object({ message: parsedMessage, signatures }),
    z.object({ message: jsonMessage, signatures }),
  ]),
  meta: z.object({
    err: z.union([z.null(), z.string(), z.record(z.string(), z.unknown())]),
    innerInstructions: z
      .array(z.object({ index: z.number(), instructions: z.array(instruction) }))
      .nullish(),
    loadedAddresses: loadedAddresses.nullish(),
  }),
});
export type RecordedResult = z.infer<typeof recordedResult>;
