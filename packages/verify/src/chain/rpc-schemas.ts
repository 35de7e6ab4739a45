import { z } from 'zod';
import { rawTransactionSchema } from './raw-transaction';

/** Long numbers arrive as strings (see parseJson). */
const u64Text = z.union([z.number().int().nonnegative(), z.string().regex(/^\d{1,20}$/)]);
/** u64 of a JSON-RPC answer. */
export const u64 = u64Text.transform((value) => BigInt(value));

/** Answers that carry the slot they were read at: `{context, value}`. */
const withContext = <T>(value: z.ZodType<T>) =>
  z
    .object({ value: z.unknown() })
    .transform((answer) => answer.value)
    .pipe(value);

export const transactionAnswer = rawTransactionSchema.nullable();

const signatureStatus = z
  .looseObject({
    slot: u64,
    confirmations: z.number().nullish(),
    err: z.unknown(),
    confirmationStatus: z.enum(['processed', 'confirmed', 'finalized']).nullish(),
  })
  .transform(({ slot, confirmations, err, confirmationStatus }) => ({
    slot,
    err: err ?? null,
    // Nodes before 1.3 have no confirmationStatus; no confirmations then means rooted.
    confirmationStatus: confirmationStatus ?? (confirmations === null ? 'finalized' : 'processed'),
  }));
export type SignatureStatus = {
  slot: bigint;
  err: unknown;
  confirmationStatus: 'processed' | 'confirmed' | 'finalized';
};

export const statusesAnswer = (count: number) =>
  withContext(z.array(signatureStatus.nullable()).length(count));

export const statusInContext = z
  .object({
    context: z.looseObject({ slot: u64 }),
    value: z.tuple([signatureStatus.nullable()]),
  })
  .transform(({ context, value }) => ({ slot: context.slot, status: value[0] }));

export const tipAnswer = z
  .looseObject({ absoluteSlot: u64, blockHeight: u64 })
  .transform(({ absoluteSlot, blockHeight }) => ({ slot: absoluteSlot, height: blockHeight }));

export const blockhashAnswer = withContext(
  z.object({ blockhash: z.string().min(32).max(44), lastValidBlockHeight: u64 }),
);

export const validityAnswer = withContext(z.boolean());

const account = z
  .looseObject({
    lamports: u64,
    owner: z.string(),
    data: z.tuple([z.base64(), z.literal('base64')]),
  })
  .transform(({ lamports, owner, data }) => ({
    lamports,
    owner,
    data: new Uint8Array(Buffer.from(data[0], 'base64')),
  }));
export type Account = z.infer<typeof account>;

export const accountAnswer = withContext<Account | null>(account.nullable());

export const simulationAnswer = z
  .object({
    context: z.looseObject({ slot: u64 }),
    value: z.looseObject({
      err: z.unknown(),
      accounts: z.array(account.nullable()).nullish(),
      preBalances: z.array(u64).nullish(),
    }),
  })
  .transform(({ context, value }) => ({
    err: value.err ?? null,
    accounts: value.accounts ?? [],
    lamportsBefore: value.preBalances ?? [],
    slot: context.slot,
  }));

export const balanceAnswer = withContext(u64);

export const balanceInContext = z
  .object({ context: z.looseObject({ slot: u64 }), value: u64 })
  .transform(({ context, value }) => ({ lamports: value, slot: context.slot }));
export const signatureAnswer = z.string().min(64).max(88);
export const hashAnswer = z.string().min(32).max(44);

const signatureLine = z.object({
  signature: signatureAnswer,
  slot: u64Text,
  blockTime: z.number().int().nullish(),
  err: z.unknown(),
  memo: z.string().nullish(),
  transactionIndex: z.number().int().nonnegative().nullish(),
  confirmationStatus: z.enum(['processed', 'confirmed', 'finalized']).nullish(),
});
/** A transaction in the history of an address. */
export type SignatureLine = {
  signature: string;
  slot: bigint;
  blockTime: Date | null;
  failed: boolean;
  final: boolean;
  /** Position in its block; null from a node before agave 4.0, which does not return it. */
  blockIndex: number | null;
  /** `[length] text` of each memo, joined by `; `. */
  memo: string | null;
};

/** Lines in one answer at most. */
export const PAGE = 1_000;

/** One transform of all lines: a thousand small ones cost as much as parsing them. */
export const historyAnswer = z
  .array(signatureLine)
  .max(PAGE)
  .transform((lines) =>
    lines.map(({ signature, slot, blockTime, err, memo, ...line }): SignatureLine => ({
      signature,
      slot: BigInt(slot),
      blockTime: typeof blockTime === 'number' ? new Date(blockTime * 1000) : null,
      failed: (err ?? null) !== null,
      final: line.confirmationStatus === 'finalized',
      blockIndex: line.transactionIndex ?? null,
      memo: memo ?? null,
    })),
  );

/** The signatures of a block, without its links to the one before. */
export const signaturesAnswer = z.looseObject({ signatures: z.array(z.string()) }).nullable();

const blockLinks = z.looseObject({
  blockHeight: u64,
  blockhash: hashAnswer,
  parentSlot: u64,
  previousBlockhash: hashAnswer,
  signatures: z.array(z.string().min(64).max(88)),
});
/** A block by its links to the one before, with the signatures of its transactions. */
export type Block = {
  height: bigint;
  blockhash: string;
  parentSlot: bigint;
  previousBlockhash: string;
  signatures: readonly string[];
};

export const blockAnswer = blockLinks.nullable().transform(
  (block): Block | null =>
    block && {
      height: block.blockHeight,
      blockhash: block.blockhash,
      parentSlot: block.parentSlot,
      previousBlockhash: block.previousBlockhash,
      signatures: block.signatures,
    },
);

/** A transaction of a block: how it ended, and the accounts that it names. */
export type BlockTransaction = { signature: string; err: unknown; accounts: readonly string[] };

export const blockAccountsAnswer = z
  .looseObject({
    transactions: z.array(
      z.looseObject({
        transaction: z.looseObject({
          signatures: z.array(z.string()).min(1),
          accountKeys: z.array(z.looseObject({ pubkey: z.string() })),
        }),
        meta: z.looseObject({ err: z.unknown() }),
      }),
    ),
  })
  .nullable()
  .transform(
    (block): BlockTransaction[] | null =>
      block &&
      block.transactions.map(({ transaction, meta }) => ({
        signature: transaction.signatures[0] ?? '',
        err: meta.err ?? null,
        accounts: transaction.accountKeys.map(({ pubkey }) => pubkey),
      })),
  );

export const tokenAccountsAnswer = withContext(z.array(z.looseObject({ pubkey: hashAnswer })));

/** Accounts of one moment, with the slot they were read at. */
export const accountsAtSlot = z
  .object({
    context: z.looseObject({ slot: u64 }),
    value: z.array(account.nullable()),
  })
  .transform(({ context, value }) => ({ slot: context.slot, accounts: value }));

/** The token accounts of a mint that hold the most of it. */
export const largestAccountsAnswer = withContext(
  z.array(z.looseObject({ address: hashAnswer, amount: u64 })),
);

/** Token accounts with the first bytes of their data. */
export const ownedAccountsAnswer = withContext(
  z.array(
    z
      .looseObject({ pubkey: hashAnswer, account })
      .transform(({ pubkey, account: { data } }) => ({ account: pubkey, data })),
  ),
);
