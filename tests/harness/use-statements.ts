import { setTimeout as sleep } from 'node:timers/promises';
import { makeWallet, type Wallet } from '@/devnet/client/wallet';
import { askForStatement } from '@/devnet/client/ask-for-statement';
import { fundWallet } from '@/devnet/client/fund-wallet';
import type { Mint } from '@/generated/prisma/client';
import { insist } from './insist';
import type { TestService } from './start-service';
import { offerOf, payOffer, type Sale } from './use-payments';
import { call, makePair, pay, read, type Answer } from './use-service';

/** POST /statement with the given headers. */
export async function askStatement(
  service: TestService,
  body: Record<string, unknown>,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return read(await askForStatement(service.baseUrl, { body, headers }));
}

/** A period from an hour ago to a day from now, as an agent would write it. */
export function aroundNow(): { period_start: string; period_end: string } {
  return {
    period_start: new Date(Date.now() - 3_600_000).toISOString(),
    period_end: new Date(Date.now() + 86_400_000).toISOString(),
  };
}

/** A new wallet with SOL and 100 USDC. */
export async function makeAgent(service: TestService): Promise<Wallet> {
  const agent = makeWallet();
  await fundWallet(service.rpcUrl, { wallet: agent.address, sol: 1, token: 'USDC', amount: '100' });
  return agent;
}

/** This many payments of different cents out of a wallet, all of them final. */
export async function payTimes(
  service: TestService,
  o: { from: Wallet; to: Wallet; count: number },
): Promise<string[]> {
  const { from, to, count } = o;
  const signatures = await Promise.all(
    Array.from({ length: count }, (_, n) =>
      pay(service, { from, to, amount: 100_000n + BigInt(n) }),
    ),
  );
  await awaitFinal(service, signatures);
  return signatures;
}

/** Waits until the service reads all of these as final. */
export async function awaitFinal(service: TestService, signatures: string[]): Promise<void> {
  for (const signature of signatures)
    for (;;) {
      const { body } = await call(service, `/verify/${signature}`);
      if (JSON.stringify(body).includes('"status":"settled"')) break;
      await sleep(50);
    }
}

/** Waits until a receipt or a statement is minted, and gives its mint. */
export async function awaitMinted(service: TestService, id: string): Promise<Mint> {
  return insist(`${id} is minted`, 90_000, async () => {
    const mint = await service.prisma.mint.findUniqueOrThrow({ where: { id } });
    return mint.status === 'completed' ? mint : null;
  });
}

/** Pays an offer from a wallet and repeats the request with the payment. */
export async function buy(
  service: TestService,
  o: {
    from: Wallet;
    body: Record<string, unknown>;
    memo?: null;
    headers?: Record<string, string>;
  },
): Promise<{ answer: Answer; payment: string }> {
  const asked = offerOf(await askStatement(service, o.body));
  const memo = o.memo === null ? { memo: null } : {};
  const payment = await payOffer(service, { from: o.from, offer: asked, ...memo });
  const headers = { 'x-payment': payment, ...o.headers };
  return { payment, answer: await askStatement(service, o.body, headers) };
}

/** A statement over one payment of a new wallet: its id, and its wallet. */
export async function freshStatement(
  service: TestService,
  headers?: Record<string, string>,
): Promise<{ id: string; payer: Wallet }> {
  const { payer, seller } = await makePair(service);
  await payTimes(service, { from: payer, to: seller, count: 1 });
  const body = { wallet_address: payer.address, ...aroundNow() };
  const { answer } = await buy(service, { from: payer, body, ...(headers && { headers }) });
  return { id: String(answer.body['statement_id']), payer };
}

/** Two statements over one sale, both minted and final. */
export async function buyTwoStatements(service: TestService, sale: Sale) {
  const statements: string[] = [];
  for (let n = 0; n < 2; n += 1) {
    const body = { wallet_address: sale.payer.address, transactions: [sale.signature] };
    const { answer } = await buy(service, { from: sale.payer, body });
    if (answer.status !== 200 && answer.status !== 202)
      throw new Error(`A statement was not sold: ${answer.status} ${JSON.stringify(answer.body)}`);
    statements.push(String(answer.body['statement_id']));
  }
  await insist('both statements are minted and final', 90_000, async () => {
    const where = { id: { in: statements }, stage: 'closed' } as const;
    return (await service.prisma.mint.count({ where })) === 2 ? true : null;
  });
  const [sold = '', underWay = ''] = statements;
  return { sold, underWay, statements };
}
