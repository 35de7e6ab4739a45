import { askForReceipt } from '@/devnet/client/ask-for-receipt';
import { payOffer, readOffer, type Offer } from '@/devnet/client/pay-offer';
import { readAnswer } from '@/devnet/client/read-answer';
import { setFaults } from '@/devnet/client/set-faults';
import { makeWallet, type Wallet } from '@/devnet/client/wallet';
import { payMany, rpcCalls, type Reachable } from './measure-receipts';
import { line, median, timeAll, type Line } from './stats';

const PAID = 40;
const UNPAID = 500;
const WIDTH = 10;
/** From this amount on a fee is due. */
const LEAST = 1_000_000n;

/**
 * The cost of payments in RPC calls: a paid request in the documented dialect against `freeCalls`,
 * and the 402 of transactions that were read before. The job server must be paused, because jobs
 * ask nodes as well.
 */
export async function measurePayments(place: Reachable, freeCalls: number): Promise<Line[]> {
  const payer = makeWallet();
  const signatures = await payMany(place, payer, UNPAID, { least: LEAST });
  // Reads each once, and again if it was not final yet.
  for (let pass = 0; pass < 2; pass += 1)
    await timeAll(signatures, WIDTH, async (signature) => void (await quote(place, signature)));
  await setFaults(place.rpcUrl, null);
  const unpaid = await timeAll(
    signatures,
    WIDTH,
    async (signature) => void (await quote(place, signature)),
  );
  const unpaidCalls = await rpcCalls(place.rpcUrl, MADE_BY_REQUESTS);

  const bought = signatures.slice(0, PAID);
  const fees = new Map<string, string>();
  await timeAll(bought, WIDTH, async (signature) => {
    fees.set(signature, await payFee(place, payer, signature));
  });
  await setFaults(place.rpcUrl, null);
  const paid = await timeAll(bought, WIDTH, async (txSignature) => {
    const headers = { 'x-payment': fees.get(txSignature) ?? '' };
    await readAnswer(await askForReceipt(place.baseUrl, { txSignature, headers }), 200);
  });
  const paidCalls = (await rpcCalls(place.rpcUrl)) / PAID;
  const extra = paidCalls - freeCalls;
  const ms = (values: number[]) => `${median(values).toFixed(0)} ms`;
  return [
    line('RPC calls of a paid POST /mint', paidCalls.toFixed(2)),
    line('  beyond a free one', extra.toFixed(2), 'at most 3', extra <= 3),
    line(`paid POST /mint, ${WIDTH} in flight, median`, ms(paid.eachMs)),
    line(
      `RPC calls of ${UNPAID} unpaid requests, transactions known`,
      String(unpaidCalls),
      'none',
      unpaidCalls === 0,
    ),
    line(`402 of POST /mint, ${WIDTH} in flight, median`, ms(unpaid.eachMs)),
  ];
}

/** Without calls that serve all requests together: a blockhash each 10 s, balances each minute. */
const MADE_BY_REQUESTS = new Set(['getTransaction', 'getSignatureStatuses', 'simulateTransaction']);

async function quote(place: Reachable, txSignature: string): Promise<Offer> {
  return readOffer(await readAnswer(await askForReceipt(place.baseUrl, { txSignature }), 402));
}

async function payFee(place: Reachable, from: Wallet, txSignature: string): Promise<string> {
  return payOffer(place.rpcUrl, from, await quote(place, txSignature));
}
