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
/** Offers that one customer takes: a signed payment may expire before any process could send it. */
const MOST_OFFERS = 60;

type Deal = { apps: readonly TestService[]; random: Random; patienceMs: number };

/**
 * One customer with its own wallet who pays a seller and wants the receipt. Like a client that does
 * not give up, it repeats the same request until it has a final answer. Any process may answer, and
 * sometimes two get the request at once.
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
  // After a crash the first answer may be lost. The second says that there is a receipt.
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
    // Pays once: a second payment would be this customer's own fault.
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

/**
 * Repeats a request until a process answers with something other than "come back later". One time
 * in four, sends it to two processes at once.
 */
function ask(deal: Deal, request: Parameters<typeof mint>[1]): Promise<Answer> {
  return insist(`POST /mint of ${request.signature}`, deal.patienceMs, async () => {
    const isTwice = deal.random.below(4) === 0;
    const asked = isTwice ? deal.apps : [deal.random.pick(deal.apps)];
    const answers = await Promise.all(
      asked.map((app) => mint(app, request).catch((error: unknown) => error)),
    );
    const answered = answers.filter((answer): answer is Answer => !(answer instanceof Error));
    const final = answered.find(({ status }) => status === 200) ?? answered.find(isFinal);
    if (final) return final;
    throw answered[0] ? unexpected(answered[0]) : answers[0];
  });
}

/** A node that lost its history does not know the transfer. The customer does, and asks again. */
const isFinal = ({ status, body }: Answer) =>
  status < 500 && status !== 429 && body['code'] !== 'transaction_not_found';

const unexpected = ({ status, body }: Answer) =>
  new Error(`POST /mint answers ${status}: ${JSON.stringify(body).slice(0, 600)}`);
