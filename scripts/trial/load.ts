import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { askForReceipt } from '@/devnet/client/ask-for-receipt';
import { fundWallet } from '@/devnet/client/fund-wallet';
import { payOffer, readOffer } from '@/devnet/client/pay-offer';
import { payToken } from '@/devnet/client/pay-token';
import { makeWallet, type Wallet } from '@/devnet/client/wallet';

/**
 * The clients' results: answers by status, `no answer` for a failed connection, and the longest
 * wait.
 */
export type Seen = {
  asked: number;
  longestMs: number;
  reads: Map<string, number>;
  sales: Map<string, number>;
  /** Requests with a payment. */
  paid: Map<string, number>;
};

export type Load = {
  /** Results since the last call. */
  take(): Seen;
  /** Ends the load, and returns the receipts that were accepted. */
  end(): Promise<string[]>;
};

const READERS = 4;
const PAUSE_MS = 100;
/** Longer than the service holds any answer. */
const PATIENCE_MS = 125_000;
/** A payment that has bought nothing for this long counts as lost. */
const MOST_REDEEM_MS = 240_000;

const sold = z.object({ receipt_id: z.string() });

/**
 * Reads, and sales of free and paid receipts, through the proxy, several at once. A refused sale is
 * repeated, like clients do. A buyer pays once and repeats the request with this payment until it
 * has its receipt.
 */
export function startLoad(o: { baseUrl: string; chainUrl: string }): Load {
  let isOver = false;
  let seen = nothingSeen();
  const receipts: string[] = [];
  const note = async (kind: 'reads' | 'sales' | 'paid', ask: () => Promise<Response>) => {
    const begun = performance.now();
    const answer = await ask().catch(() => null);
    const status = answer === null ? 'no answer' : String(answer.status);
    seen.asked += 1;
    seen.longestMs = Math.max(seen.longestMs, performance.now() - begun);
    seen[kind].set(status, (seen[kind].get(status) ?? 0) + 1);
    return answer;
  };

  const read = async () => {
    while (!isOver) {
      const id = receipts.at(-1);
      const path = id === undefined ? '/pricing' : `/receipt/${id}`;
      await note('reads', () =>
        fetch(o.baseUrl + path, { signal: AbortSignal.timeout(PATIENCE_MS) }),
      ).then((answer) => answer?.arrayBuffer());
      await sleep(PAUSE_MS);
    }
  };
  const sell = async () => {
    while (!isOver) {
      const one = await makeTransfer(o.chainUrl, FREE).catch(() => null);
      while (one !== null && !isOver) {
        const answer = await note('sales', () => askForReceipt(o.baseUrl, one));
        const body: unknown = await answer?.json().catch(() => null);
        const taken = sold.safeParse(body);
        if (answer?.status === 200 && taken.success) receipts.push(taken.data.receipt_id);
        if (answer?.status === 200) break;
        await sleep(1_000);
      }
      await sleep(PAUSE_MS);
    }
  };
  const buy = async () => {
    while (!isOver) {
      const one = await makeTransfer(o.chainUrl, PRICED).catch(() => null);
      // Without a payment the service owes nothing, so a buyer may give up here.
      const offer = one && (await askForOffer(o.baseUrl, one).catch(() => null));
      const payment = offer && (await payOffer(o.chainUrl, one.wallet, offer).catch(() => null));
      if (payment) await redeem(one, payment);
      await sleep(PAUSE_MS);
    }
  };
  /** Ends only with the receipt: a client that paid continues to ask after the load is over. */
  const redeem = async (one: Transfer, payment: string) => {
    const until = performance.now() + MOST_REDEEM_MS;
    let last = 'no answer';
    for (; performance.now() < until; await sleep(1_000)) {
      const headers = { 'x-payment': payment };
      const answer = await note('paid', () => askForReceipt(o.baseUrl, { ...one, headers }));
      last = answer === null ? 'no answer' : await answer.text().catch(() => 'no body');
      if (answer?.status === 200) {
        receipts.push(sold.parse(JSON.parse(last)).receipt_id);
        return;
      }
      if (answer !== null && answer.status < 500 && answer.status !== 429)
        throw new Error(`the payment ${payment} bought nothing: ${answer.status} ${last}`);
    }
    throw new Error(`the payment ${payment} has bought nothing for minutes: ${last}`);
  };
  const work = [...Array.from({ length: READERS }, read), sell(), sell(), buy()];
  // `end` awaits them too, and throws if a payment bought nothing.
  for (const one of work) one.catch(() => undefined);
  return {
    take: () => {
      const taken = seen;
      seen = nothingSeen();
      return taken;
    },
    end: async () => {
      isOver = true;
      await Promise.all(work);
      return receipts;
    },
  };
}

/**
 * Micro-USDC of a transfer whose receipt is free, and of one whose receipt costs the smallest fee.
 */
const FREE = 250_000n;
const PRICED = 5_000_000n;

type Transfer = { txSignature: string; wallet: Wallet };

async function makeTransfer(chainUrl: string, amount: bigint): Promise<Transfer> {
  const [payer, seller] = [makeWallet(), makeWallet()];
  await fundWallet(chainUrl, { wallet: payer.address, sol: 1, token: 'USDC', amount: '10' });
  const payment = { from: payer, to: seller.address, token: 'USDC', amount } as const;
  return { txSignature: await payToken(chainUrl, payment), wallet: payer };
}

async function askForOffer(baseUrl: string, one: Transfer) {
  const answer = await askForReceipt(baseUrl, one);
  return answer.status === 402 ? readOffer(await answer.json()) : null;
}

function nothingSeen(): Seen {
  return { asked: 0, longestMs: 0, reads: new Map(), sales: new Map(), paid: new Map() };
}
