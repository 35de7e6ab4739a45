import { makeWallet, type Wallet } from '@/devnet/client/wallet';
import { fundWallet } from '@/devnet/client/fund-wallet';
import { signOffer } from '../sign-offer';
import type { TestService } from '../to-test-service';
import { offerOf } from '../use-payments';
import { mint, type Answer } from '../use-service';
import { insist } from '../insist';
import type { Kind, Purchase } from './judge';
import { payOnce } from './pay-once';
import type { Random } from './random';

/** Under 1 USD a receipt is free. */
const AMOUNT = { free: 250_000n, paid: 25_000_000n };
/** Offers one customer takes: a signed payment may run out before anybody could send it. */
const MOST_OFFERS = 60;

type Deal = { apps: readonly TestService[]; random: Random; patienceMs: number };

/**
 * One customer with a wallet of its own who pays somebody and wants the receipt of it, as a client does that
 * does not give up: the same request again until it is answered for good, by any process, sometimes by two
 * at once.
 */
export async function buyReceipt(deal: Deal, kind: Exclude<Kind, 'statement'>): Promise<Purchase> {
  const [payer, seller] = [makeWallet(), makeWallet()];
  const bought: Purchase = {
    kind,
    payer: payer.address,
    txSignature: '',
    receiptId: null,
    trouble: null,
  };
  try {
    const { rpcUrl } = deal.random.pick(deal.apps);
    const wish = { wallet: payer.address, sol: 1, token: 'USDC', amount: '100' };
    await insist('the faucet', deal.patienceMs, () => fundWallet(rpcUrl, wish));
    const amount = kind === 'free' ? AMOUNT.free : AMOUNT.paid;
    const transfer = { from: payer, to: seller.address, token: 'USDC', amount } as const;
    bought.txSignature = await payOnce(rpcUrl, transfer, deal.patienceMs);
    bought.receiptId =
      kind === 'free'
        ? await takeFree(deal, payer, bought.txSignature)
        : await takePaid(deal, { payer, signature: bought.txSignature, dialect: kind });
  } catch (error) {
    bought.trouble = error instanceof Error ? error.message : String(error);
  }
  return bought;
}

async function takeFree(deal: Deal, wallet: Wallet, signature: string): Promise<string> {
  const answer = await ask(deal, { signature, wallet });
  // After a crash the first answer may be lost; the second says that there is a receipt.
  if (answer.status !== 200 && answer.status !== 409) throw unexpected(answer);
  return String(answer.body['receipt_id']);
}

async function takePaid(
  deal: Deal,
  o: { payer: Wallet; signature: string; dialect: Exclude<Kind, 'free' | 'statement'> },
): Promise<string> {
  const { payer, signature, dialect } = o;
  let answer = await ask(deal, { signature });
  for (let offers = 0; answer.status === 402 && offers < MOST_OFFERS; offers += 1) {
    const offered = answer;
    // Paid once: a second payment would be this customer's fault and nobody else's.
    if (dialect === 'documented' && offers > 0) throw unexpected(answer);
    const headers =
      dialect === 'documented'
        ? { 'x-payment': await payFee(deal, payer, offered) }
        : await insist('a blockhash', deal.patienceMs, () =>
            signOffer(deal.random.pick(deal.apps), {
              answer: offered,
              from: payer,
              version: dialect,
            }),
          );
    answer = await ask(deal, { signature, headers });
  }
  if (answer.status !== 200) throw unexpected(answer);
  return String(answer.body['receipt_id']);
}

function payFee(deal: Deal, from: Wallet, answer: Answer): Promise<string> {
  const { payTo: to, amount, memo } = offerOf(answer);
  const { rpcUrl } = deal.random.pick(deal.apps);
  return payOnce(rpcUrl, { from, to, token: 'USDC', amount, memo }, deal.patienceMs);
}

/** Repeats a request while nobody answers or the answer is to come back; one time in four to two at once. */
function ask(deal: Deal, request: Parameters<typeof mint>[1]): Promise<Answer> {
  return insist(`POST /mint of ${request.signature}`, deal.patienceMs, async () => {
    const isTwice = deal.random.below(4) === 0;
    const asked = isTwice ? deal.apps : [deal.random.pick(deal.apps)];
    const answers = await Promise.all(
      asked.map((app) => mint(app, request).catch((error: unknown) => error)),
    );
    const told = answers.filter((answer): answer is Answer => !(answer instanceof Error));
    const final = told.find(({ status }) => status === 200) ?? told.find(isFinal);
    if (final) return final;
    throw told[0] ? unexpected(told[0]) : answers[0];
  });
}

/** A node that lost its history does not know the transfer; the customer knows better and asks again. */
const isFinal = ({ status, body }: Answer) =>
  status < 500 && status !== 429 && body['code'] !== 'transaction_not_found';

const unexpected = ({ status, body }: Answer) =>
  new Error(`POST /mint answers ${status}: ${JSON.stringify(body).slice(0, 600)}`);
