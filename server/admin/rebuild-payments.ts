import { fetchTransaction } from '@quittance/verify/chain/fetch-transaction';
import { TOKEN } from '@quittance/verify/chain/programs';
import type { RawTransaction } from '@quittance/verify/chain/raw-transaction';
import { RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import type { Rpc } from '@/server/chain/rpc';
import { tokenAddressOf } from '@quittance/verify/chain/token-accounts';
import type { ServiceContext } from '@/server/context';
import { rebuildLedger } from '@/server/payments/ledger/scan-ledger';
import { paymentNetwork } from '@/server/payments/prices';
import { type FeePayment, readFeePayment } from '@/server/payments/read-fee-payment';
import { readWireMessage } from '@/server/payments/read-payment-header';
import {
  type Purchase,
  restorePayment,
  unpaidRebuiltPurchases,
} from '@/server/payments/restore-payment';

/** How long a payment made in time may be presented (server/payments/open-quote.ts). */
const PRESENTED_WITHIN_MS = 48 * 3_600_000;
/** Clocks of the chain and of a server differ by seconds. */
const SLACK_MS = 10 * 60_000;

/** Restores the payments to every wallet that ever was PAY_TO, with their purchases. */
export async function rebuildPayments(
  service: ServiceContext,
  report: Report,
  payTo: readonly string[],
): Promise<void> {
  const left = new Set(await unpaidRebuiltPurchases(service.db));
  const wallets = await walletsPaidTo(service, payTo);
  report.say('reading the ledger of PAY_TO');
  await onRow(report, service.env.payTo, async () => {
    const ledger = await rebuildLedger(service, wallets);
    report.say(`${ledger.noted} movements restored, ${ledger.differing} accounts do not add up`);
  });
  for (const wallet of wallets) {
    report.say(`reading payments to ${wallet}`);
    await onRow(report, wallet, () => restorePayments(service, report, { left, wallet }));
  }
}

/** Every wallet known to the backup or the operator as an earlier PAY_TO. */
async function walletsPaidTo(
  { db, env }: Pick<ServiceContext, 'db' | 'env'>,
  told: readonly string[],
): Promise<Set<string>> {
  const ask = { distinct: ['payTo' as const], select: { payTo: true } };
  const [quoted, paid] = await Promise.all([db.quote.findMany(ask), db.payment.findMany(ask)]);
  return new Set([env.payTo, ...told, ...[...quoted, ...paid].map(({ payTo }) => payTo)]);
}

async function restorePayments(
  service: ServiceContext,
  report: Report,
  o: { left: Set<Purchase>; wallet: string },
): Promise<void> {
  const { env, rpc } = service;
  const { usdcMint: mint } = paymentNetwork(env.network);
  const account = await tokenAddressOf({ wallet: o.wallet, mint, tokenProgram: TOKEN });
  for await (const signature of finalHistoryOf(rpc, account))
    await onRow(report, signature, () =>
      restoreOne(service, report, { ...o, signature, account, mint }),
    );
}

async function restoreOne(
  service: ServiceContext,
  report: Report,
  o: { left: Set<Purchase>; wallet: string; signature: string; account: string; mint: string },
): Promise<void> {
  const { db, rpc, ids, clock } = service;
  const { left, signature, wallet, account, mint } = o;
  const known = await db.payment.findUnique({ where: { signature }, select: { state: true } });
  if (known?.state === 'used' || known?.state === 'refunded') return;
  const seen = await readFeePayment({ rpc, signature, payTo: { wallet, account, mint } });
  if (seen.state === 'absent')
    throw new RpcUnavailable('one node lists it, and no node returns it');
  // A refund goes to the payer in this row.
  if (seen.state === 'paid' && seen.isAlone) throw new RpcUnavailable('only one node shows it');
  if (seen.state === 'refused') {
    // Most are no payments: the history also has what the account sends.
    if (known) leaveAlone(report, signature, seen.detail);
    return;
  }
  const match = bestOf(left, seen.payment);
  const isNew = await restorePayment(db, {
    id: ids.paymentId(),
    payment: seen.payment,
    now: clock.now(),
    message: await messageOf(service, signature),
    bought: match && { subjectId: match.subjectId, priceMicros: match.priceMicros },
  });
  if (!isNew) return;
  if (match) left.delete(match);
  report.result[match ? 'used' : 'unused'] += 1;
  report.say(`payment ${signature} restored: ${match ? `it bought ${match.subjectId}` : 'unused'}`);
}

/** The most likely purchase of a payment: the most expensive one that it pays for. */
function bestOf(left: ReadonlySet<Purchase>, payment: FeePayment): Purchase | null {
  return [...left].reduce<Purchase | null>((best, one) => {
    const earlyMs = one.issuedAt.getTime() - payment.blockTime.getTime();
    const isFitting =
      one.payers.includes(payment.payer) &&
      payment.amountMicros >= one.priceMicros &&
      earlyMs >= -SLACK_MS &&
      earlyMs <= PRESENTED_WITHIN_MS;
    return isFitting && (best === null || one.priceMicros > best.priceMicros) ? one : best;
  }, null);
}

/** The signed bytes, by which an x402 payload is recognised. Null if a node does not return them. */
async function messageOf({ rpc, env }: ServiceContext, signature: string) {
  const raw = await fetchTransaction(rpc, signature);
  const wire = Array.isArray(raw?.transaction) ? Buffer.from(raw.transaction[0], 'base64') : null;
  const message = wire && readWireMessage(wire);
  if (!message) return null;
  const [networkFeePayer] = message.transaction.staticKeys;
  return {
    hash: message.messageHash,
    isSettledByUs: networkFeePayer === env.feePayer.publicKey,
  };
}

/** The rows that a rebuild restored, and those that it did not. */
export type Rebuilt = {
  receipts: number;
  /** Statements of the backup whose NFT was minted after it. */
  statements: number;
  used: number;
  unused: number;
  /** Leaves and payments that stay unchanged, and why. */
  skipped: { signature: string; why: string }[];
  /** Those that could not be read or written now: run the rebuild again. */
  failed: { signature: string; why: string }[];
};

export type Report = { result: Rebuilt; say(line: string): void };

export function emptyReport(say: (line: string) => void): Report {
  const counts = { receipts: 0, statements: 0, used: 0, unused: 0 };
  return { result: { ...counts, skipped: [], failed: [] }, say };
}

/** Handles one row. A row that fails is reported, and the next one follows. */
export async function onRow(
  { result, say }: Report,
  signature: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    result.failed.push({ signature, why });
    say(`could not handle ${signature}: ${why}`);
  }
}

export function leaveAlone({ result, say }: Report, signature: string, why: string): void {
  result.skipped.push({ signature, why });
  say(`left alone ${signature}: ${why}`);
}

/** Signatures of an address's transactions that did not fail and are final, newest first. */
export async function* finalHistoryOf(
  rpc: Pick<Rpc, 'getSignaturesForAddress'>,
  address: string,
): AsyncGenerator<string> {
  let before: string | undefined;
  for (;;) {
    const lines = await rpc.getSignaturesForAddress(address, before ? { before } : {});
    for (const line of lines) if (!line.failed && line.final) yield line.signature;
    before = lines.at(-1)?.signature;
    if (before === undefined) return;
  }
}

/** A transaction that a history lists as final. Throws RpcUnavailable when no node gives it: it is there. */
export async function getListed(
  rpc: Pick<Rpc, 'getTransaction'>,
  signature: string,
): Promise<RawTransaction> {
  const transaction = await rpc.getTransaction(signature, 'finalized');
  if (transaction === null) throw new RpcUnavailable('one node lists it, and no node returns it');
  return transaction;
}
