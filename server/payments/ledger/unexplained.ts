import type { LedgerEntry } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';
import { partiesOf } from './entries';

/** Something that left our wallets and that nobody has explained. */
export type Unexplained = {
  signature: string;
  wallet: string;
  token: string;
  decimals: number;
  amountRaw: bigint;
  slot: bigint;
  blockTime: Date;
  /** Who got it. */
  to: string[];
  /** Payments of those wallets, made before it, that buy nothing until it is explained; the newest at most. */
  mayRefund: string[];
};

/** Shown of each; a page for people. The blocking itself knows no limit. */
const MOST_SHOWN = 200;
const MOST_PAYMENTS = 20;

/** What left and is on record as nothing, oldest first, with the payments that each may be the refund of. */
export async function listUnexplained(db: Db): Promise<Unexplained[]> {
  const rows = await db.ledgerEntry.findMany({
    where: { direction: 'out', purpose: null },
    orderBy: [{ slot: 'asc' }, { signature: 'asc' }],
    take: MOST_SHOWN,
  });
  return Promise.all(rows.map((row) => describe(db, row)));
}

async function describe(db: Db, row: LedgerEntry): Promise<Unexplained> {
  const to = partiesOf(row).map(({ owner }) => owner);
  const wanted = to.map((owner) => JSON.stringify([{ owner }]));
  const earlier = await db.$queryRaw<{ signature: string }[]>`
    select distinct signature, slot from ledger_entries
    where direction = 'in' and token = ${row.token} and slot <= ${row.slot}
      and parties @> any(${wanted}::jsonb[])
    order by slot desc limit ${MOST_PAYMENTS}`;
  return {
    signature: row.signature,
    wallet: row.wallet,
    token: row.token,
    decimals: row.decimals,
    amountRaw: row.amountRaw,
    slot: row.slot,
    blockTime: row.blockTime,
    to,
    mayRefund: earlier.map(({ signature }) => signature),
  };
}
