import { Prisma } from '@/generated/prisma/client';

/** Which receipts of a wallet are meant. */
export type RowFilter = {
  wallet: string;
  /** On which side of the payment the wallet stood. */
  role: 'seller' | 'payer';
  /** From the first instant to before the second. */
  from: Date;
  until: Date;
  /** Mint of the token, null for native SOL; all tokens when left out. */
  mint?: string | null | undefined;
  search?: string | undefined;
  status?: 'pending' | 'failed' | undefined;
};

/** Conditions over `receipts r`, as the partial indexes of each side want them. */
export function sideOf({ role, wallet }: RowFilter): Prisma.Sql {
  return role === 'seller'
    ? Prisma.sql`r.seller = ${wallet} and r.released_at is null`
    : Prisma.sql`r.payer = ${wallet} and r.released_at is null`;
}

export function periodOf({ from, until }: RowFilter): Prisma.Sql {
  return Prisma.sql`r.block_time >= ${from} and r.block_time < ${until}`;
}

export function tokenIs({ mint }: RowFilter): Prisma.Sql {
  if (mint === undefined) return Prisma.empty;
  return mint === null ? Prisma.sql`and r.mint is null` : Prisma.sql`and r.mint = ${mint}`;
}
