import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { askForReceipt } from '@/devnet/client/ask-for-receipt';
import { fundWallet } from '@/devnet/client/fund-wallet';
import { payToken } from '@/devnet/client/pay-token';
import { makeWallet } from '@/devnet/client/wallet';

/** What clients saw: answers by status, `no answer` where a connection failed, and the longest wait for one. */
export type Seen = {
  asked: number;
  longestMs: number;
  reads: Map<string, number>;
  sales: Map<string, number>;
};

export type Load = {
  /** What was seen since the last call. */
  take(): Seen;
  /** Ends the load; the receipts that were taken. */
  end(): Promise<string[]>;
};

const READERS = 4;
const PAUSE_MS = 100;
/** Longer than the service holds any answer. */
const PATIENCE_MS = 125_000;

const sold = z.object({ receipt_id: z.string() });

/** Reads and sales of free receipts through the proxy, several at once. A refused sale is repeated, as clients do. */
export function startLoad(o: { baseUrl: string; chainUrl: string }): Load {
  let isOver = false;
  let seen = nothingSeen();
  const receipts: string[] = [];
  const note = async (kind: 'reads' | 'sales', ask: () => Promise<Response>) => {
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
      const one = await makeTransfer(o.chainUrl).catch(() => null);
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
  const work = [...Array.from({ length: READERS }, read), sell(), sell()];
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

async function makeTransfer(chainUrl: string) {
  const [payer, seller] = [makeWallet(), makeWallet()];
  await fundWallet(chainUrl, { wallet: payer.address, sol: 1, token: 'USDC', amount: '1' });
  const payment = { from: payer, to: seller.address, token: 'USDC', amount: 250_000n } as const;
  return { txSignature: await payToken(chainUrl, payment), wallet: payer };
}

function nothingSeen(): Seen {
  return { asked: 0, longestMs: 0, reads: new Map(), sales: new Map() };
}
