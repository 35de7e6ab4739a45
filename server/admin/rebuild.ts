import { TOKEN } from '@/server/chain/programs';
import { tokenAddressOf } from '@/server/chain/token-address';
import type { ServiceContext } from '@/server/context';
import { writeAudit } from '@/server/db/audit';
import { decodeLeafEvents } from '@/server/nft/leaf';
import { listCreatorKeys } from '@/server/nft/list-creator-keys';
import { listTrees } from '@/server/nft/list-trees';
import { paymentNetwork } from '@/server/payments/payment-network';
import { priceReceipt } from '@/server/payments/prices';
import { readFeePayment, type FeePayment } from '@/server/payments/read-fee-payment';
import { restorePayment } from '@/server/payments/restore-payment';
import type { ReceiptMetadata } from '@/server/receipts/describe-parse';
import { restoreReceipt } from '@/server/receipts/restore-receipt';
import { listStorageKeys } from '@/server/storage/list-storage-keys';
import { REBUILT } from './awaits-rebuild';

export type Rebuilt = {
  receipts: number;
  used: number;
  unused: number;
  /** Leaves of our trees that were left alone, and why. */
  skipped: { signature: string; why: string }[];
};

/** A receipt that came back and that somebody must have paid a fee for. */
type Bought = { receiptId: string; metadata: ReceiptMetadata };

/** How long a payment made in time may be presented (server/payments/open-quote.ts). */
const PRESENTED_WITHIN_MS = 48 * 3_600_000;
/** Clocks of the chain and of a server differ by seconds. */
const SLACK_MS = 10 * 60_000;

/**
 * Brings back, after an old backup was restored, what the chain and permanent storage know: receipts and
 * their NFTs from the histories of our trees, and payments from that of PAY_TO. A payment is taken to have
 * bought the receipt that its payer is a party of, at its price, in its time; what fits none is `unused`, so
 * that its payer may still use it. Safe to repeat. Ends with an audit row, which lets minting go on.
 */
export async function rebuild(
  service: ServiceContext,
  o: { label: string; say(line: string): void },
): Promise<Rebuilt> {
  const { db, clock } = service;
  const result: Rebuilt = { receipts: 0, used: 0, unused: 0, skipped: [] };
  const bought = await restoreReceipts(service, result, o.say);
  await restorePayments(service, result, bought, o.say);
  await writeAudit(db, {
    at: clock.now(),
    actor: 'admin',
    action: REBUILT,
    subject: o.label,
    detail: {
      ...{ receipts: result.receipts, used: result.used, unused: result.unused },
      skipped: result.skipped.length,
    },
  });
  return result;
}

async function restoreReceipts(
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
      for (const leaf of transaction ? decodeLeafEvents(transaction) : []) {
        const isOurs = leaf.metadata.creators.some(
          (one) => one.verified && creators.has(one.address),
        );
        if (!isOurs) continue;
        const slot = BigInt(transaction?.slot ?? 0);
        const restored = await restoreReceipt(service, { leaf, signature, slot, storageKeys });
        if (restored.state === 'skipped') result.skipped.push({ signature, why: restored.why });
        if (restored.state !== 'restored') continue;
        result.receipts += 1;
        bought.push(restored);
      }
    }
  }
  return bought;
}

async function restorePayments(
  service: ServiceContext,
  result: Rebuilt,
  bought: Bought[],
  say: (line: string) => void,
): Promise<void> {
  const { db, env, rpc, ids, clock } = service;
  const { usdcMint: mint } = paymentNetwork(env.network);
  const account = await tokenAddressOf({ wallet: env.payTo, mint, tokenProgram: TOKEN });
  say(`reading payments to ${env.payTo}`);
  const left = new Set(bought.filter((one) => priceOf(one) > 0n));
  for await (const signature of historyOf(service, account)) {
    if (await db.payment.findUnique({ where: { signature }, select: { id: true } })) continue;
    const seen = await readFeePayment({
      ...{ rpc, signature },
      payTo: { wallet: env.payTo, account, mint },
    });
    if (seen.state !== 'paid') continue;
    const match = [...left].find((one) => fits(seen.payment, one));
    if (match) left.delete(match);
    const isNew = await restorePayment(db, {
      ...{ id: ids.paymentId(), payment: seen.payment, payTo: env.payTo, now: clock.now() },
      bought: match ? { subjectId: match.receiptId, priceMicros: priceOf(match) } : null,
    });
    if (isNew) result[match ? 'used' : 'unused'] += 1;
  }
}

function priceOf({ metadata }: Bought): bigint {
  return priceReceipt(metadata.service.usdMicros);
}

function fits(payment: FeePayment, one: Bought): boolean {
  const { chain, service } = one.metadata;
  const earlyMs = service.issuedAt.getTime() - payment.blockTime.getTime();
  return (
    (payment.payer === chain.payer || payment.payer === chain.seller) &&
    payment.amountMicros >= priceOf(one) &&
    earlyMs >= -SLACK_MS &&
    earlyMs <= PRESENTED_WITHIN_MS
  );
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
