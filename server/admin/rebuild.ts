import { fetchTransaction } from '@/server/chain/fetch-transaction';
import { TOKEN } from '@/server/chain/programs';
import { tokenAddressOf } from '@/server/chain/token-address';
import type { ServiceContext } from '@/server/context';
import { writeAudit } from '@/server/db/audit';
import { decodeLeafEvents } from '@/server/nft/leaf';
import { listCreatorKeys } from '@/server/nft/list-creator-keys';
import { listTrees } from '@/server/nft/list-trees';
import { rebuildLedger } from '@/server/payments/ledger/rebuild-ledger';
import { paymentNetwork } from '@/server/payments/payment-network';
import { readFeePayment, type FeePayment } from '@/server/payments/read-fee-payment';
import { restorePayment } from '@/server/payments/restore-payment';
import { readWireMessage } from '@/server/payments/wire-message';
import { listStorageKeys } from '@/server/storage/list-storage-keys';
import { REBUILT } from './awaits-rebuild';
import { restoreLeaf, type Bought } from './restore-leaf';

export type Rebuilt = {
  receipts: number;
  /** Statements of the backup whose NFT was minted after it. */
  statements: number;
  used: number;
  unused: number;
  /** Leaves of our trees that were left alone, and why. */
  skipped: { signature: string; why: string }[];
};

/** How long a payment made in time may be presented (server/payments/open-quote.ts). */
const PRESENTED_WITHIN_MS = 48 * 3_600_000;
/** Clocks of the chain and of a server differ by seconds. */
const SLACK_MS = 10 * 60_000;

/**
 * Brings back, after an old backup was restored, what the chain and permanent storage know: receipts and
 * their NFTs from the histories of our trees, and payments from those of PAY_TO and of the wallets that it
 * named before: all that are on record, and `payTo`. A payment is taken to have bought the receipt or
 * statement that its payer is a party of, at its price, in its time; what fits none is `unused`, so that
 * its payer may still use it. The ledger of what arrived and left is read anew. Safe to repeat. Ends with an audit row, which lets minting go on.
 */
export async function rebuild(
  service: ServiceContext,
  o: { label: string; payTo?: readonly string[]; say(line: string): void },
): Promise<Rebuilt> {
  const { db, clock } = service;
  const result: Rebuilt = { receipts: 0, statements: 0, used: 0, unused: 0, skipped: [] };
  const bought = await restoreMinted(service, result, o.say);
  const left = new Set(bought.filter(({ priceMicros }) => priceMicros > 0n));
  const wallets = await walletsPaidTo(service, o.payTo ?? []);
  o.say('reading the ledger of PAY_TO');
  const ledger = await rebuildLedger(service, wallets);
  o.say(`${ledger.noted} movements came back, ${ledger.differing} accounts do not add up`);
  for (const wallet of wallets) {
    o.say(`reading payments to ${wallet}`);
    await restorePayments(service, { result, left, wallet });
  }
  const { skipped, ...counts } = result;
  await writeAudit(db, {
    at: clock.now(),
    actor: 'admin',
    action: REBUILT,
    subject: o.label,
    detail: { ...counts, skipped: skipped.length },
  });
  return result;
}

async function restoreMinted(
  service: ServiceContext,
  result: Rebuilt,
  say: (line: string) => void,
): Promise<Bought[]> {
  const { db, env, rpc } = service;
  const creators = new Set((await listCreatorKeys(db)).map(({ publicKey }) => publicKey));
  const storageKeys = new Set((await listStorageKeys(db)).map(({ publicKey }) => publicKey));
  const bought: Bought[] = [];
  for (const { address } of await listTrees(db, env.network)) {
    say(`reading tree ${address}`);
    for await (const signature of historyOf(service, address)) {
      const transaction = await rpc.getTransaction(signature, 'finalized');
      const slot = BigInt(transaction?.slot ?? 0);
      for (const leaf of transaction ? decodeLeafEvents(transaction) : []) {
        const isOurs = leaf.metadata.creators.some(
          (one) => one.verified && creators.has(one.address),
        );
        if (!isOurs) continue;
        const one = await restoreLeaf(service, { leaf, signature, slot, storageKeys });
        if (one.why !== null) result.skipped.push({ signature, why: one.why });
        if (one.came !== null) result[one.came] += 1;
        if (one.bought && !(await isPaid(service, one.bought))) bought.push(one.bought);
      }
    }
  }
  return bought;
}

/** Whether the backup knows what paid for it: then no other payment did. */
async function isPaid({ db }: ServiceContext, { subjectId }: Bought): Promise<boolean> {
  return (await db.payment.count({ where: { subjectId, state: 'used' } })) > 0;
}

/** Where the service was ever paid, as far as the backup and the operator know. */
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
  o: { result: Rebuilt; left: Set<Bought>; wallet: string },
): Promise<void> {
  const { db, env, rpc, ids, clock } = service;
  const { result, left, wallet } = o;
  const { usdcMint: mint } = paymentNetwork(env.network);
  const account = await tokenAddressOf({ wallet, mint, tokenProgram: TOKEN });
  for await (const signature of historyOf(service, account)) {
    const known = await db.payment.findUnique({ where: { signature }, select: { state: true } });
    if (known?.state === 'used' || known?.state === 'refunded') continue;
    const seen = await readFeePayment({ rpc, signature, payTo: { wallet, account, mint } });
    if (seen.state !== 'paid') continue;
    const match = bestOf(left, seen.payment);
    if (match) left.delete(match);
    const isNew = await restorePayment(db, {
      ...{ id: ids.paymentId(), payment: seen.payment, now: clock.now() },
      message: await messageOf(service, signature),
      bought: match && { subjectId: match.subjectId, priceMicros: match.priceMicros },
    });
    if (isNew) result[match ? 'used' : 'unused'] += 1;
  }
}

/** What a payment bought, most likely: the dearest thing that it pays for. */
function bestOf(left: ReadonlySet<Bought>, payment: FeePayment): Bought | null {
  return [...left].reduce<Bought | null>((best, one) => {
    const earlyMs = one.issuedAt.getTime() - payment.blockTime.getTime();
    const isFitting =
      one.payers.includes(payment.payer) &&
      payment.amountMicros >= one.priceMicros &&
      earlyMs >= -SLACK_MS &&
      earlyMs <= PRESENTED_WITHIN_MS;
    return isFitting && (best === null || one.priceMicros > best.priceMicros) ? one : best;
  }, null);
}

/** What was signed: under it an x402 payload is known again. Null where a node does not give the bytes. */
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

/** Signatures of an address's transactions that did not fail and are final, newest first. */
async function* historyOf(
  { rpc }: Pick<ServiceContext, 'rpc'>,
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
