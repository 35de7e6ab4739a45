import { MEMO_PROGRAMS, TOKEN } from '@quittance/verify/chain/programs';
import { USDC_DECIMALS } from '@quittance/verify/money';
import {
  AccountRole,
  address,
  appendTransactionMessageInstructions,
  blockhash as asBlockhash,
  compileTransaction,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  type Instruction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import type { Quote } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';
import { databaseNow } from '@/server/db/database-clock';
import type { PreparedQuote } from './awaited-payments';
import { MOST_AGE_MS, SLACK_MS } from './quotes';
import { TRANSFER_CHECKED } from './transfer-checked';

/** A page that is still open continues on its own within this time. */
const QUIET_MS = 30_000;

/**
 * By then a last-moment payment is final, even after a few lost sweeps. If a node shows it even
 * later, the ledger finds it: see `paidInLedger`.
 */
const LATE_MS = 15 * 60_000;

const WITH_AWAITED = { awaited: true } as const;

/** A quote by its id, or null. */
export function findQuote(db: Db, id: string): Promise<PreparedQuote | null> {
  return db.quote.findUnique({ where: { id }, include: WITH_AWAITED });
}

/** Whether a quote can still be paid, by the database's clock. */
export async function isStillOpen(db: Db, quote: Pick<Quote, 'openUntil'>): Promise<boolean> {
  return quote.openUntil > (await databaseNow(db));
}

/**
 * Other quotes for the same purchase whose payment may be on chain: one is awaited, or a wallet may
 * have sent its payment late. No limit: anybody may prepare one, and none must hide that the
 * purchase is already paid for.
 */
export function sentForSame(
  db: Db,
  quote: Pick<Quote, 'id' | 'txSignature' | 'path' | 'bodySha256'>,
): Promise<PreparedQuote[]> {
  const { id, txSignature, path, bodySha256 } = quote;
  return db.quote.findMany({
    where: {
      id: { not: id },
      // A quote that a refusal closed stays in the search, because the refused payment may still be
      // paid.
      OR: [
        { mayBeSent: true },
        { preparedAt: { not: null }, closedAt: null },
        { preparedAt: { not: null }, closedFor: { isEmpty: false } },
      ],
      // A transaction has one receipt, whatever its labels are.
      ...(txSignature === null ? { path, bodySha256 } : { txSignature }),
    },
    orderBy: { createdAt: 'desc' },
    include: WITH_AWAITED,
  });
}

/**
 * The next quotes that a sweep checks. A page prepared their payment and was then quiet for half a
 * minute, and the payment may be on chain. With `named`, only those of these ids whose payment may
 * have come late. Without it, quotes that wait for a payment. The quote that was not checked for
 * longest comes first, so that none keeps another waiting. Each comes once in a sweep. By the
 * database's clock.
 */
export async function listPrepared(
  db: Db,
  o: { sweepBegan: Date; limit: number; named?: ReadonlySet<string> },
): Promise<PreparedQuote[]> {
  const { named } = o;
  return db.quote.findMany({
    where: {
      ...(await quietAndYoung(db)),
      ...(named ? { id: { in: [...named] }, closedAt: null } : { mayBeSent: true }),
      OR: [{ lookedAt: null }, { lookedAt: { lt: o.sweepBegan } }],
    },
    orderBy: [{ lookedAt: { sort: 'asc', nulls: 'first' } }, { preparedAt: 'asc' }, { id: 'asc' }],
    include: WITH_AWAITED,
    take: o.limit,
  });
}

/** Notes that a sweep checks quotes now. */
export async function noteLooked(
  db: Pick<Db, '$executeRaw'>,
  quotes: readonly Pick<Quote, 'id'>[],
): Promise<void> {
  await db.$executeRaw`
    update quotes set looked_at = clock_timestamp() where id = any(${quotes.map(({ id }) => id)})`;
}

/**
 * The wallets that are to be paid by prepared quotes, each with the time of the oldest quote whose
 * payment may be on chain. A quote that ended is checked for some time longer, because a wallet may
 * send its payment late.
 */
export async function listPaidWallets(db: Db): Promise<{ payTo: string; since: Date }[]> {
  const now = (await databaseNow(db)).getTime();
  const groups = await db.quote.groupBy({
    by: ['payTo'],
    where: {
      ...(await quietAndYoung(db)),
      closedAt: null,
      OR: [{ mayBeSent: true }, { openUntil: { gt: new Date(now - LATE_MS) } }],
    },
    _min: { createdAt: true },
  });
  const oldest = now - MOST_AGE_MS;
  return groups.flatMap(({ payTo, _min: { createdAt } }) =>
    createdAt === null
      ? []
      : [{ payTo, since: new Date(Math.max(createdAt.getTime(), oldest) - SLACK_MS) }],
  );
}

/**
 * Ids of prepared quotes that a payment in the ledger buys, as far as the ledger shows. It must
 * have the memo and enough money left, and come from a wallet that may pay and was not refused.
 * Nodes may show a payment long after its quote ended. It counts for two days, as long as its quote
 * is kept.
 */
export async function paidInLedger(db: Pick<Db, '$queryRaw'>): Promise<string[]> {
  const ageS = MOST_AGE_MS / 1000;
  const rows = await db.$queryRaw<{ id: string }[]>`
    select distinct quote.id
    from ledger_entries entry
    cross join lateral jsonb_array_elements_text(entry.memos) as memo
    join quotes quote on quote.id = memo
    where entry.direction = 'in' and entry.token = 'USDC'
      and entry.created_at > clock_timestamp() - make_interval(secs => ${ageS})
      and entry.wallet = quote.pay_to
      and quote.prepared_at is not null and quote.closed_at is null
      and exists (
        select 1 from jsonb_array_elements(entry.parties) as party
        where not (party->>'owner' = any(quote.closed_for))
          and (party->>'owner' in (quote.wallet, quote.tx_payer, quote.tx_seller)
            or (quote.tx_signature is not null and quote.tx_payer is null)))
      and entry.amount_raw - (
        select coalesce(sum(refund.amount_raw), 0) from ledger_refunds refund
        where refund.payment_signature = entry.signature and refund.token = entry.token
      ) >= quote.price_micros
      and not exists (
        select 1 from payments paid
        where paid.signature = entry.signature and paid.state in ('used', 'refunded'))`;
  return rows.map(({ id }) => id);
}

/**
 * Quotes that a page abandoned, as long as a payment in a block of their time still buys something.
 */
async function quietAndYoung(
  db: Db,
): Promise<{ preparedAt: { lt: Date }; openUntil: { gt: Date } }> {
  const now = (await databaseNow(db)).getTime();
  return {
    preparedAt: { lt: new Date(now - QUIET_MS) },
    // An offer that is requested again ends later, so its end counts and not the time of its first
    // preparation.
    openUntil: { gt: new Date(now - MOST_AGE_MS - SLACK_MS) },
  };
}

/**
 * The unsigned transaction that pays a quote from a wallet, base64. It has a USDC transfer and the
 * quote's id as memo, and the wallet pays the network fee. It has the legacy form, which every
 * wallet can show and sign.
 */
export function buildPayment(o: {
  payer: string;
  from: string;
  to: string;
  mint: string;
  amountMicros: bigint;
  memo: string;
  recent: { blockhash: string; lastValidBlockHeight: bigint };
}): string {
  const payer = address(o.payer);
  const amount = Buffer.alloc(10);
  amount.writeUInt8(TRANSFER_CHECKED, 0);
  amount.writeBigUInt64LE(o.amountMicros, 1);
  amount.writeUInt8(USDC_DECIMALS, 9);
  const transfer: Instruction = {
    programAddress: address(TOKEN),
    accounts: [
      { address: address(o.from), role: AccountRole.WRITABLE },
      { address: address(o.mint), role: AccountRole.READONLY },
      { address: address(o.to), role: AccountRole.WRITABLE },
      { address: payer, role: AccountRole.READONLY_SIGNER },
    ],
    data: new Uint8Array(amount),
  };
  const memo: Instruction = {
    programAddress: address(MEMO_PROGRAMS.v3),
    data: new Uint8Array(Buffer.from(o.memo, 'utf8')),
  };
  const message = pipe(
    createTransactionMessage({ version: 'legacy' }),
    (tx) => setTransactionMessageFeePayer(payer, tx),
    (tx) =>
      setTransactionMessageLifetimeUsingBlockhash(
        {
          blockhash: asBlockhash(o.recent.blockhash),
          lastValidBlockHeight: o.recent.lastValidBlockHeight,
        },
        tx,
      ),
    (tx) => appendTransactionMessageInstructions([transfer, memo], tx),
  );
  return getBase64EncodedWireTransaction(compileTransaction(message));
}
