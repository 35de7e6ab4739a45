import { fundWallet } from '@/devnet/client/fund-wallet';
import { makeWallet } from '@/devnet/client/wallet';
import { insist } from '../insist';
import type { TestService } from '../to-test-service';
import { offerOf } from '../use-payments';
import { askStatement } from '../use-statements';
import type { Answer } from '../use-service';
import { statementKey, type Purchase } from './judge';
import { payOnce } from './pay-once';
import type { Random } from './random';

type Deal = { apps: readonly TestService[]; random: Random; patienceMs: number };

/**
 * One customer who makes a payment and buys a statement over it, in the documented dialect. It
 * repeats the same request until it has a final answer from any process.
 */
export async function buyStatement(deal: Deal): Promise<Purchase> {
  const [agent, seller] = [makeWallet(), makeWallet()];
  const bought: Purchase = {
    kind: 'statement',
    payer: agent.address,
    txSignature: statementKey(agent.address),
    receiptId: null,
    trouble: null,
  };
  try {
    const { rpcUrl } = deal.random.pick(deal.apps);
    const wish = { wallet: agent.address, sol: 1, token: 'USDC', amount: '100' };
    await insist('the faucet', deal.patienceMs, () => fundWallet(rpcUrl, wish));
    const transfer = { from: agent, to: seller.address, token: 'USDC', amount: 250_000n } as const;
    const listed = await payOnce(rpcUrl, transfer, deal.patienceMs);
    const body = { wallet_address: agent.address, transactions: [listed] };
    const offered = await ask(deal, body, {});
    const { payTo: to, amount, memo } = offerOf(offered);
    const fee = { from: agent, to, token: 'USDC', amount, memo } as const;
    const payment = await payOnce(rpcUrl, fee, deal.patienceMs);
    const answer = await ask(deal, body, { 'x-payment': payment });
    bought.receiptId = String(answer.body['statement_id']);
  } catch (error) {
    bought.trouble = error instanceof Error ? error.message : String(error);
  }
  return bought;
}

/** Repeats a request until a process answers with something other than "come back later". */
function ask(
  deal: Deal,
  body: Record<string, unknown>,
  headers: Record<string, string>,
): Promise<Answer> {
  const wanted = 'x-payment' in headers ? [200, 202] : [402];
  return insist('POST /statement', deal.patienceMs, async () => {
    // Each kill cuts off a client that waits a minute for the NFT, so it asks in short calls.
    const shortly = { ...headers, prefer: 'wait=1' };
    const answer = await askStatement(deal.random.pick(deal.apps), body, shortly);
    if (wanted.includes(answer.status)) return answer;
    throw new Error(
      `POST /statement answers ${answer.status}: ${JSON.stringify(answer.body).slice(0, 600)}`,
    );
  });
}
