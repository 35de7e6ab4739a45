import {
  besideFromStored,
  besideToStored,
  legsToStored,
  type ReceiptLeg,
  storedBeside,
  storedLegs,
} from '@quittance/verify/receipts/receipt-beside';
import type { TransferRow } from '@quittance/verify/receipts/transfer-row';
import { tokenByMint } from '@quittance/verify/tokens/token-table';
import { z } from 'zod';
import { Prisma, type Receipt } from '@/generated/prisma/client';
import type { Env } from '@/server/env';
import { hiddenLabels } from './labels';
import type { ReceiptFacts } from './receipt-facts';

/**
 * A field of the row for each fact, except for facts about the running service and from the token
 * table.
 */
export type KeptIn<Facts> = Record<
  Exclude<keyof Facts, 'network' | 'publicUrl' | 'groupCode'>,
  keyof Receipt
>;
type KeptFact = keyof KeptIn<ReceiptFacts>;

/**
 * The field of a row that keeps each fact. A new fact does not compile before it has one here, and a value in
 * both functions below. Its column has the same name in snake case.
 */
export const FIELDS = {
  receiptId: 'id',
  issuedAt: 'createdAt',
  txSignature: 'txSignature',
  slot: 'slot',
  blockIndex: 'blockIndex',
  blockTime: 'blockTime',
  payer: 'payer',
  seller: 'seller',
  mint: 'mint',
  tokenProgram: 'tokenProgram',
  token: 'token',
  decimals: 'decimals',
  dtifCode: 'dtifCode',
  amount: 'amountRaw',
  amountSent: 'amountSentRaw',
  feeWithheld: 'feeWithheldRaw',
  otherLegs: 'otherLegs',
  beside: 'beside',
  usdMicros: 'usdMicros',
  valuation: 'valuation',
  valuationSource: 'valuationSource',
  serviceType: 'serviceType',
  transactionType: 'transactionType',
  invoiceId: 'invoiceId',
  reportedBy: 'reportedBy',
} as const satisfies KeptIn<ReceiptFacts>;

type Field = (typeof FIELDS)[KeptFact];

/** `block_index` of a receipt whose position in its block is not known: it sorts last in its slot. */
export const UNPLACED = 2_147_483_647;

/** The part of a row that keeps the facts; the rest is the state of the receipt. */
export function rowOfFacts(
  facts: ReceiptFacts,
): Required<Pick<Prisma.ReceiptUncheckedCreateInput, Field>> {
  return {
    id: facts.receiptId,
    createdAt: facts.issuedAt,
    txSignature: facts.txSignature,
    slot: facts.slot,
    blockIndex: facts.blockIndex ?? UNPLACED,
    blockTime: facts.blockTime,
    payer: facts.payer,
    seller: facts.seller,
    mint: facts.mint,
    tokenProgram: facts.tokenProgram,
    token: facts.token,
    decimals: facts.decimals,
    dtifCode: facts.dtifCode,
    amountRaw: facts.amount,
    amountSentRaw: facts.amountSent,
    feeWithheldRaw: facts.feeWithheld,
    otherLegs: legsToStored(facts.otherLegs),
    beside: facts.beside ? besideToStored(facts.beside) : Prisma.DbNull,
    usdMicros: facts.usdMicros,
    valuation: facts.valuation,
    valuationSource: facts.valuationSource,
    serviceType: facts.serviceType,
    transactionType: facts.transactionType,
    invoiceId: facts.invoiceId,
    reportedBy: facts.reportedBy,
  };
}

/** The facts of a stored receipt, as its image and metadata were made from them. */
export function factsOfRow(
  row: Pick<Receipt, Field>,
  { network, publicUrl }: Pick<Env, 'network' | 'publicUrl'>,
): ReceiptFacts {
  return {
    receiptId: row.id,
    issuedAt: row.createdAt,
    network,
    publicUrl,
    txSignature: row.txSignature,
    slot: row.slot,
    blockIndex: row.blockIndex === UNPLACED ? null : row.blockIndex,
    blockTime: row.blockTime,
    payer: row.payer,
    seller: row.seller,
    mint: row.mint,
    tokenProgram: row.tokenProgram,
    token: row.token,
    decimals: row.decimals,
    dtifCode: row.dtifCode,
    groupCode: tokenByMint(row.mint, network)?.groupCode ?? null,
    amount: row.amountRaw,
    amountSent: row.amountSentRaw,
    feeWithheld: row.feeWithheldRaw,
    otherLegs: storedLegs.parse(row.otherLegs),
    beside: besideFromStored(row.beside),
    usdMicros: row.usdMicros,
    valuation: row.valuation,
    valuationSource: row.valuationSource,
    serviceType: row.serviceType,
    transactionType: row.transactionType,
    invoiceId: row.invoiceId,
    reportedBy: row.reportedBy,
  };
}

const units = z.string().transform(BigInt);

/**
 * The facts that a list shows, in the JSON form of {@link LISTED_RECEIPT}: base units as text. They
 * have the names of a row, because renaming them for each receipt takes as long as parsing.
 */
const listedFacts = z.object({
  receiptId: z.string(),
  txSignature: z.string(),
  slot: units,
  blockTime: z.string().transform((text) => new Date(text)),
  payer: z.string(),
  seller: z.string(),
  mint: z.string().nullable(),
  token: z.string(),
  decimals: z.number(),
  dtifCode: z.string().nullable(),
  amountRaw: units,
  amountSentRaw: units,
  feeWithheldRaw: units,
  otherLegs: storedLegs,
  usdMicros: units,
  valuation: z.enum(['par', 'fx', 'market']),
  serviceType: z.string(),
  transactionType: z.string().nullable(),
  invoiceId: z.string().nullable(),
});
type ListedFact = keyof z.infer<typeof listedFacts>;

/** The same with its further legs' prices and its NFT. */
const listed = listedFacts.extend({
  prices: storedBeside.shape.prices.nullable(),
  metadataUri: z.string(),
  mintStatus: z.string(),
  assetId: z.string().nullable(),
  labelsHidden: z.boolean(),
});

/**
 * SQL for a receipt in every list, export and statement: one JSON text for {@link readListed}, from
 * `receipts r` and `mints m`. With one text, a long export does not keep twenty values a row.
 */
export const LISTED_RECEIPT = Prisma.sql`json_build_object(${Prisma.raw(
  listedFacts
    .keyof()
    .options.map((fact) => `'${fact}', r.${columnOf(fact)}`)
    .join(', '),
)}, 'prices', r.beside->'prices', 'metadataUri', m.metadata_uri, 'mintStatus', m.status,
  'assetId', m.asset_id, 'labelsHidden', r.labels_hidden_at is not null)::text`;

/** The `mints m` of each `receipts r`. Without its offset, the planner would read all mints for a page. */
export const ITS_MINT = Prisma.sql`
  cross join lateral (select * from mints where mints.id = r.id offset 0) m`;

function columnOf(fact: ListedFact): string {
  const field: Field = fact === 'receiptId' ? FIELDS.receiptId : fact;
  const column = field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return listedFacts.shape[fact] === units ? `${column}::text` : column;
}

/** A row before it is seen from one wallet and valued in a currency. */
export type PlainRow = Omit<TransferRow, 'direction' | 'counterparty' | 'local'>;

/** A receipt in a list: its own row, and what the rows of its further legs are made from. */
export type ListedReceipt = PlainRow & {
  receiptId: string;
  usdMicros: bigint;
  serviceType: string;
  metadataUri: string;
  mintStatus: string;
  otherLegs: ReceiptLeg[];
  /** Prices that were frozen with the transaction; null for an older receipt. */
  prices: z.infer<typeof storedBeside>['prices'] | null;
  /** Whether the operator hid the labels: the row then has the note in place of each. */
  labelsHidden: boolean;
};

/** Reads the text that {@link LISTED_RECEIPT} gives. */
export function readListed(text: string): ListedReceipt {
  const row = listed.parse(JSON.parse(text));
  return row.labelsHidden ? { ...row, ...hiddenLabels(row) } : row;
}
