import type { Db } from '@/server/db/client';

/** The ids of the live receipts of transactions, by signature; those without one are left out. */
export async function findReceiptIds(
  db: Db,
  signatures: readonly string[],
): Promise<Map<string, string>> {
  if (signatures.length === 0) return new Map();
  const rows = await db.$queryRaw<{ id: string; signature: string }[]>`
    select id, tx_signature as signature from receipts
     where released_at is null and tx_signature = any(${[...signatures]}::text[])`;
  return new Map(rows.map(({ id, signature }) => [signature, id]));
}
