import type { StatementItem } from '@quittance/verify/statements/statement-rows';

/**
 * A row with its position in the statement, which is the order of the chain, and its number within
 * its transaction.
 */
export type PlacedRow = StatementItem & { place: number; part: number; parts: number };

/** Numbers the rows of one transaction, so that they can be shown in any order. */
export function placeRows(rows: readonly StatementItem[]): PlacedRow[] {
  const parts = new Map<string, number>();
  for (const { tx_signature: signature } of rows)
    parts.set(signature, (parts.get(signature) ?? 0) + 1);
  const seen = new Map<string, number>();
  return rows.map((row, place) => {
    const part = (seen.get(row.tx_signature) ?? 0) + 1;
    seen.set(row.tx_signature, part);
    return { ...row, place, part, parts: parts.get(row.tx_signature) ?? part };
  });
}

/**
 * Sorts rows by a column. Equal rows, and the rows of one transaction by time, keep the order of
 * the chain.
 */
export function sortRows(
  rows: readonly PlacedRow[],
  { key, descending }: { key: string; descending: boolean },
): PlacedRow[] {
  const sign = descending ? -1 : 1;
  return [...rows].sort((a, b) => sign * compare(a, b, key) || a.place - b.place);
}

function compare(a: PlacedRow, b: PlacedRow, key: string): number {
  if (key === 'usd') return compareBig(BigInt(a.usd_amount_raw), BigInt(b.usd_amount_raw));
  if (key === 'role') return a.role.localeCompare(b.role);
  // The position of the transaction's first row.
  return a.place - a.part - (b.place - b.part);
}

function compareBig(a: bigint, b: bigint): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
