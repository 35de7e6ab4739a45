import { Prisma } from '@/generated/prisma/client';

/** Tables that are written together with others, and what a row of each holds. */
type Rows = {
  receipts: Prisma.ReceiptUncheckedCreateInput;
  mints: Prisma.MintUncheckedCreateInput;
  stored_items: Prisma.StoredItemUncheckedCreateInput;
};

/**
 * An insert as SQL that can stand inside a larger statement, so that what several modules write together is one
 * question to the database. Rows have the same fields; a field that is undefined keeps the column's default.
 * Columns are named as the fields in snake case, which is how the schema maps all of them.
 */
export function insertInto<T extends keyof Rows>(
  table: T,
  rows: readonly [Rows[T], ...Rows[T][]],
): Prisma.Sql {
  const fields = Object.entries(rows[0]).flatMap(([field, value]) =>
    value === undefined ? [] : [field],
  );
  const values = rows.map((row) => {
    const cells = new Map<string, unknown>(Object.entries(row));
    return Prisma.sql`(${Prisma.join(fields.map((field) => toParameter(cells.get(field))))})`;
  });
  const columns = Prisma.raw(fields.map(toColumn).join(', '));
  return Prisma.sql`insert into ${Prisma.raw(table)} (${columns}) values ${Prisma.join(values)}`;
}

function toColumn(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function toParameter(value: unknown): unknown {
  const isJson =
    typeof value === 'object' &&
    value !== null &&
    !(value instanceof Date || value instanceof Uint8Array);
  return isJson ? JSON.stringify(value) : value;
}
