import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { askForReceipt } from '@/devnet/client/ask-for-receipt';
import { fundWallet } from '@/devnet/client/fund-wallet';
import { payToken, type TOKENS } from '@/devnet/client/pay-token';
import { makeWallet, type Wallet } from '@/devnet/client/wallet';
import type { TestService } from './start-service';

export type Answer = { status: number; headers: Headers; body: Record<string, unknown> };

/** A payer with SOL and 100 of a token, and a seller with nothing. */
export async function makePair(
  service: TestService,
  token: keyof typeof TOKENS = 'USDC',
): Promise<{ payer: Wallet; seller: Wallet }> {
  const [payer, seller] = [makeWallet(), makeWallet()];
  await fundWallet(service.rpcUrl, { wallet: payer.address, sol: 1, token, amount: '100' });
  return { payer, seller };
}

/** Pays base units of a token and returns the signature, confirmed. */
export async function pay(
  service: TestService,
  o: {
    from: Wallet;
    to: Pick<Wallet, 'address'>;
    amount: bigint;
    token?: keyof typeof TOKENS;
    memo?: string;
  },
): Promise<string> {
  const { from, to, amount, token = 'USDC', memo } = o;
  const payment = { from, to: to.address, token, amount, ...(memo === undefined ? {} : { memo }) };
  return payToken(service.rpcUrl, payment);
}

/** POST /mint with a wallet's proof. `body` and `headers` replace or add. */
export async function mint(
  service: TestService,
  o: {
    signature: string;
    wallet?: Wallet;
    body?: Record<string, unknown>;
    headers?: Record<string, string>;
  },
): Promise<Answer> {
  const { signature: txSignature, ...rest } = o;
  return read(await askForReceipt(service.baseUrl, { txSignature, ...rest }));
}

/**
 * A receipt that was just requested, for a new payer with a payment of 0.25 USDC, and that payment.
 */
export async function freshReceipt(
  service: TestService,
): Promise<{ id: string; owner: string; signature: string }> {
  const { payer, seller } = await makePair(service);
  const signature = await pay(service, { from: payer, to: seller, amount: 250_000n });
  const { status, body } = await mint(service, { signature, wallet: payer });
  if (status !== 200) throw new Error(`POST /mint answers ${status}: ${JSON.stringify(body)}`);
  return { id: String(body['receipt_id']), owner: payer.address, signature };
}

/** A request to the service. The answer's body must be a JSON object. */
export async function call(
  service: TestService,
  path: string,
  init?: RequestInit,
): Promise<Answer> {
  return read(await fetch(new URL(path, service.baseUrl), init));
}

/** An answer whose body must be a JSON object. */
export async function read(response: Response): Promise<Answer> {
  const body = (await response.json()) as Record<string, unknown>;
  return { status: response.status, headers: response.headers, body };
}

/** Repeats a request after a 503, as a client should: some step is not done yet. */
export async function whenDone(ask: () => Promise<Answer>): Promise<Answer> {
  for (let round = 0; round < 60; round += 1) {
    const answer = await ask();
    if (answer.status !== 503) return answer;
    await sleep(500);
  }
  throw new Error('the request never came through');
}

/** Calls to the node since its faults were set, by method. */
export async function callsOfNode(service: TestService): Promise<Record<string, number>> {
  const answer: unknown = await (await fetch(`${service.rpcUrl}/_faults`)).json();
  return z.object({ calls: z.record(z.string(), z.number()) }).parse(answer).calls;
}

/** Polls a receipt's status until it is one of `wanted`. Throws with the last status. */
export async function awaitStatus(
  service: TestService,
  receiptId: string,
  o: { wanted?: string[]; timeoutMs?: number } = {},
): Promise<Record<string, unknown>> {
  const wanted = o.wanted ?? ['completed'];
  const deadline = Date.now() + (o.timeoutMs ?? 90_000);
  let last = '';
  while (Date.now() < deadline) {
    // The app may be down for some time when a test kills it.
    const answer = await call(service, `/mint/status/${receiptId}`).catch(() => null);
    if (answer && wanted.includes(String(answer.body['mint_status']))) return answer.body;
    last = JSON.stringify(answer?.body ?? 'no answer');
    await sleep(150);
  }
  throw new Error(`${receiptId} did not become ${wanted.join(' or ')}: ${last}`);
}

/** Waits until a receipt's NFT was seen final. After that its job asks the chain nothing more. */
export async function awaitClosed(service: TestService, receiptId: string): Promise<void> {
  await awaitStatus(service, receiptId, { timeoutMs: 90_000 });
  const deadline = Date.now() + 90_000;
  for (;;) {
    const { stage } = await service.prisma.mint.findUniqueOrThrow({ where: { id: receiptId } });
    if (stage === 'closed') return;
    if (Date.now() > deadline) throw new Error(`the mint of ${receiptId} stays ${stage}`);
    await sleep(200);
  }
}
