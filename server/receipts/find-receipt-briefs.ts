import type { Db } from '@/server/db/client';

/** What a statement takes over from the receipt of a transaction. */
export type ReceiptBrief = {
  id: string;
  usdMicros: bigint;
  valuation: string;
  serviceType: string;
  transactionType: string | null;
  invoiceId: string | null;
  metadataUri: string;
};

/** The live receipts of transactions by signature; those without one are left out. */
export async function findReceiptBriefs(
  db: Db,
  signatures: readonly string[],
): Promise<Map<string, ReceiptBrief>> {
  if (signatures.length === 0) return new Map();
  const rows = await db.$queryRaw<(ReceiptBrief & { signature: string })[]>`
    select receipts.id, tx_signature as signature, usd_micros as "usdMicros", valuation,
           service_type as "serviceType", transaction_type as "transactionType",
           invoice_id as "invoiceId", metadata_uri as "metadataUri"
      from receipts join mints on mints.id = receipts.id
     where released_at is null and tx_signature = any(${[...signatures]}::text[])`;
  return new Map(rows.map(({ signature, ...brief }) => [signature, brief]));
}
