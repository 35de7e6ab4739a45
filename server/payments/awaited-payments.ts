import type { AwaitedPayment, Prisma, PrismaClient, Quote } from '@/generated/prisma/client';
import { databaseNow } from '@/server/db/database-clock';

/** A quote with the payments of it that may still land. */
export type PreparedQuote = Quote & { awaited: AwaitedPayment[] };

/** A payment that may still land. Without `landsUntil` it is not known when it no longer can. */
export type Wait = Pick<AwaitedPayment, 'quoteId' | 'wallet' | 'signature'> & {
  landsUntil: bigint | null;
};

/** The wallet of a preparation without proof: anybody can make one. */
const NOBODY = '';

/**
 * The payments that a wallet waits for before it pays a quote: its own that may still land. A
 * payment of another wallet never counts. Otherwise the other party could block it by signing one
 * payment after the other.
 */
export function waitsOf(quote: PreparedQuote, wallet: string): Wait[] {
  return allWaits(quote).filter(
    // Only a process of the previous release notes a signature without its wallet.
    (wait) => wait.wallet === wallet || (wait.wallet === NOBODY && wait.signature !== null),
  );
}

/**
 * The payments that a check of a quote follows. For a wallet that proved or signed nothing, and for
 * no wallet in particular, they include preparations without proof.
 */
export function followedWaits(quote: PreparedQuote, wallet: string | undefined): Wait[] {
  if (wallet === undefined) return allWaits(quote);
  const own = waitsOf(quote, wallet);
  return own.length > 0 ? own : allWaits(quote).filter((wait) => wait.wallet === NOBODY);
}

/** Includes what a process of the previous release noted in the quote only. */
function allWaits(quote: PreparedQuote): Wait[] {
  const { awaited, mayBeSent, paymentHint: signature, landsUntil, preparedBy } = quote;
  if (!mayBeSent) return [];
  const hinted = { quoteId: quote.id, wallet: NOBODY, signature, landsUntil };
  if (signature !== null)
    return awaited.some((wait) => wait.signature === signature) ? awaited : [...awaited, hinted];
  if (awaited.length > 0) return awaited;
  return (preparedBy?.split(' ') ?? [NOBODY]).map((wallet) => ({ ...hinted, wallet }));
}

/**
 * Notes that a page prepared the payment of a quote, with the request that it buys. With
 * `landsUntil` the wallet sends its transactions itself, so the payment may land until that block
 * height. A repeat without proof does not prolong that. Returns false when a signed payment of this
 * wallet is on record.
 */
export async function notePrepared(
  db: Pick<PrismaClient, '$transaction'>,
  o: {
    id: string;
    request: Prisma.InputJsonObject;
    landsUntil: bigint | null;
    /** The wallet that is to pay, as the page states it. */
    wallet: string;
    /** The wallet that proved itself and sends its transactions, or null. */
    preparedBy: string | null;
  },
): Promise<boolean> {
  const { id, landsUntil, preparedBy } = o;
  return db.$transaction(async (tx) => {
    const quote = await lockQuote(tx, id);
    if (!quote || waitsOf(quote, o.wallet).some(({ signature }) => signature !== null))
      return false;
    // The first time stays: a client that prepares again and again must not delay the sweep.
    await tx.$executeRaw`
      update quotes set
        request = ${JSON.stringify(o.request)}::jsonb,
        prepared_at = coalesce(prepared_at, clock_timestamp()),
        closed_at = null,
        closed_for = array_remove(closed_for, ${o.wallet}),
        payment_hint = case when may_be_sent then payment_hint end,
        may_be_sent = may_be_sent or ${landsUntil !== null},
        lands_until_height = case
          when not may_be_sent then ${landsUntil}::bigint
          when ${preparedBy}::text is null then coalesce(lands_until_height, ${landsUntil}::bigint)
          else greatest(lands_until_height, ${landsUntil}::bigint) end,
        prepared_by = case
          when not may_be_sent then ${preparedBy}::text
          when ${preparedBy}::text = any(string_to_array(prepared_by, ' ')) then prepared_by
          else nullif(concat_ws(' ', prepared_by, ${preparedBy}::text), '') end
      where id = ${id}`;
    if (landsUntil !== null)
      await tx.$executeRaw`
        insert into awaited_payments (quote_id, wallet, lands_until_height)
        values (${id}, ${preparedBy ?? NOBODY}, ${landsUntil})
        on conflict (quote_id, wallet) do update
          set lands_until_height = greatest(awaited_payments.lands_until_height, excluded.lands_until_height)
          where awaited_payments.wallet <> ${NOBODY}`;
    return true;
  });
}

/**
 * Notes the payment of a quote that a wallet signed, before the payment is sent. A repeat of the
 * same payment ends when the first does. Returns false when another payment of this wallet may
 * still land: then this one must not be sent. Payments that other wallets sign or prepare are no
 * obstacle. Also returns false when the quote takes no more payments.
 */
export async function noteSignature(
  db: Pick<PrismaClient, '$transaction'>,
  o: { id: string; wallet: string; signature: string; landsUntil: bigint },
): Promise<boolean> {
  const { id, wallet, signature } = o;
  return db.$transaction(async (tx) => {
    const quote = await lockQuote(tx, id);
    // Bought, or finally refused, after this payment was prepared.
    if (!quote || quote.closedAt !== null || quote.closedFor.includes(wallet)) return false;
    const signed = waitsOf(quote, wallet).filter((wait) => wait.signature !== null);
    if (signed.length > 0) return signed.some((wait) => wait.signature === signature);
    const prepared = quote.awaited.find((wait) => wait.wallet === wallet)?.landsUntil ?? 0n;
    const landsUntil = prepared > o.landsUntil ? prepared : o.landsUntil;
    await tx.awaitedPayment.upsert({
      where: { quoteId_wallet: { quoteId: id, wallet } },
      create: { quoteId: id, wallet, signature, landsUntil },
      update: { signature, landsUntil },
    });
    await tx.quote.update({
      where: { id },
      data: { paymentHint: signature, mayBeSent: true, landsUntil },
    });
    return true;
  });
}

/** Notes that a payment that might have landed did not and no longer can. */
export async function forgetAwaited(
  db: Pick<PrismaClient, '$transaction'>,
  { quoteId, wallet, signature, landsUntil }: Wait,
): Promise<void> {
  await db.$transaction(async (tx) => {
    const quote = await lockQuote(tx, quoteId);
    if (!quote) return;
    // A preparation that was repeated meanwhile lands later.
    const until = signature === null && landsUntil !== null ? { landsUntil } : {};
    await tx.awaitedPayment.deleteMany({ where: { quoteId, wallet, signature, ...until } });
    const left = await tx.awaitedPayment.count({ where: { quoteId } });
    const isHint = quote.paymentHint === signature;
    await tx.quote.update({
      where: { id: quoteId },
      data: {
        ...(isHint ? { paymentHint: null } : {}),
        ...(left === 0 && (isHint || quote.paymentHint === null)
          ? { mayBeSent: false, landsUntil: null }
          : {}),
      },
    });
  });
}

/**
 * Notes that the payment of one wallet was finally refused. The service then stops waiting for that
 * wallet and carries out nothing for it. The quote is closed for other wallets only once all
 * wallets that may pay, `payers`, were refused.
 */
export async function closeForWallet(
  db: Pick<PrismaClient, '$transaction'>,
  o: { id: string; wallet: string; payers: readonly string[] },
): Promise<void> {
  const { id, wallet } = o;
  await db.$transaction(async (tx) => {
    const quote = await lockQuote(tx, id);
    if (!quote) return;
    const closedFor = [...new Set([...quote.closedFor, wallet])];
    const isOver = o.payers.length > 0 && o.payers.every((one) => closedFor.includes(one));
    const gone = quote.awaited.filter((wait) => isOver || wait.wallet === wallet);
    await tx.awaitedPayment.deleteMany({
      where: { quoteId: id, wallet: { in: gone.map((wait) => wait.wallet) } },
    });
    const isHintGone = gone.some(({ signature }) => signature === quote.paymentHint);
    const isQuiet = isOver || (gone.length > 0 && gone.length === quote.awaited.length);
    await tx.quote.update({
      where: { id },
      data: {
        closedFor,
        ...(isHintGone ? { paymentHint: null } : {}),
        ...(isQuiet ? { mayBeSent: false, landsUntil: null } : {}),
        ...(isOver ? { closedAt: await databaseNow(tx) } : {}),
      },
    });
  });
}

/**
 * Notes that no node accepted a payment that a wallet signed. The same wallet may still send the
 * payment it prepared before, so the service still waits for that.
 */
export async function retractSignature(
  db: Pick<PrismaClient, '$transaction'>,
  o: { wait: Wait; isStillAwaited: boolean },
): Promise<void> {
  if (!o.isStillAwaited) return forgetAwaited(db, o.wait);
  const { quoteId, wallet, signature } = o.wait;
  await db.$transaction(async (tx) => {
    const quote = await lockQuote(tx, quoteId);
    await tx.awaitedPayment.updateMany({
      where: { quoteId, wallet, signature },
      data: { signature: null },
    });
    if (quote?.paymentHint === signature)
      await tx.quote.update({ where: { id: quoteId }, data: { paymentHint: null } });
  });
}

/**
 * Notes that nothing more can be found out about the payment of a quote. A payment signed later is
 * not sent.
 */
export async function closeFollowed(
  db: Pick<PrismaClient, '$transaction'>,
  id: string,
): Promise<void> {
  await db.$transaction(async (tx) => {
    if (!(await lockQuote(tx, id))) return;
    await tx.awaitedPayment.deleteMany({ where: { quoteId: id } });
    const data = { mayBeSent: false, closedAt: await databaseNow(tx) };
    await tx.quote.update({ where: { id }, data });
  });
}

/**
 * Quotes are changed one at a time. Otherwise two calls of one wallet could both find nothing on
 * record.
 */
async function lockQuote(tx: Prisma.TransactionClient, id: string): Promise<PreparedQuote | null> {
  await tx.$queryRaw`select id from quotes where id = ${id} for update`;
  return tx.quote.findUnique({ where: { id }, include: { awaited: true } });
}
