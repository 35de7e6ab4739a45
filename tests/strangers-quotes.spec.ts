import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { fundWallet } from '@/devnet/client/fund-wallet';
import { makeWallet, type Wallet } from '@/devnet/client/wallet';
import { sharedService } from './harness/shared-service';
import type { TestService } from './harness/start-service';
import { offerOf, payOffer, type Offer } from './harness/use-payments';
import { askStatement, awaitFinal } from './harness/use-statements';
import { mint, pay, type Answer } from './harness/use-service';

const USDC = 1_000_000n;
/** Each run is a new wallet on the chain, with a dozen requests or more. */
const RUNS = 12;
/** A fixed seed, so that a failure can be repeated. */
const SEED = 15;

let service: TestService;
beforeAll(async () => {
  service = await sharedService();
});

/** A wallet with three small payments, and two of 1,000 USDC whose receipts cost 1 USDC each. */
type Victim = { wallet: Wallet; seller: Wallet; small: string[]; sales: string[] };
async function makeVictim(): Promise<Victim> {
  const [wallet, seller] = [makeWallet(), makeWallet()];
  const funds = { sol: 1, token: 'USDC', amount: '2010' } as const;
  await fundWallet(service.rpcUrl, { wallet: wallet.address, ...funds });
  const send = (amount: bigint) => pay(service, { from: wallet, to: seller, amount });
  const small = await Promise.all([send(100_000n), send(100_001n), send(100_002n)]);
  const sales = await Promise.all([send(1_000n * USDC), send(1_000n * USDC + 1n)]);
  await awaitFinal(service, [...small, ...sales]);
  return { wallet, seller, small, sales };
}

/**
 * A request that costs 1 USDC: a statement over some of the small payments, or a receipt with a
 * label.
 */
const request = fc.oneof(
  fc.record({ route: fc.constant('statement' as const), rows: fc.integer({ min: 1, max: 7 }) }),
  fc.record({
    route: fc.constant('mint' as const),
    sale: fc.integer({ min: 0, max: 1 }),
    label: fc.constantFrom('API access', 'Mine'),
    asSeller: fc.boolean(),
  }),
);
type Request = typeof request extends fc.Arbitrary<infer T> ? T : never;
const visit = fc.record({ request, client: fc.integer({ min: 1, max: 250 }) });
const story = fc.record({
  wish: request,
  before: fc.array(visit, { maxLength: 4 }),
  between: fc.array(visit, { maxLength: 4 }),
  after: fc.array(visit, { maxLength: 4 }),
  hasMemo: fc.boolean(),
  atOnce: fc.boolean(),
});

/**
 * Sends a request about the victim's wallet or transaction from any address, with the given
 * headers.
 */
function send(
  { wallet, small, sales, seller }: Victim,
  o: { request: Request; client: number; headers?: Record<string, string>; by?: Wallet },
): Promise<Answer> {
  const headers = { 'x-forwarded-for': `203.0.113.${o.client}`, prefer: 'wait=0', ...o.headers };
  if (o.request.route === 'statement') {
    const { rows } = o.request;
    const transactions = small.filter((_, place) => (rows & (1 << place)) > 0);
    return askStatement(service, { wallet_address: wallet.address, transactions }, headers);
  }
  const signature = sales[o.request.sale] ?? '';
  const by = o.by ?? (o.request.asSeller ? seller : undefined);
  const body = { service_type: o.request.label };
  return mint(service, { signature, body, headers, ...(by && { wallet: by }) });
}

/** Whether two are the same request. The sender and the headers do not count. */
const nameOf = (one: Request) =>
  one.route === 'statement' ? `statement ${one.rows}` : `mint ${one.sale} ${one.label}`;

it('a payment buys what its wallet asked for and nothing else, among any quotes of strangers', async () => {
  await fc.assert(
    fc.asyncProperty(story, async (o) => {
      const victim = await makeVictim();
      const { wallet } = victim;
      const visitors = [...o.before, ...o.between, ...o.after];
      const open = async (visits: typeof o.before) => {
        for (const one of visits) offerOf(await send(victim, one));
      };
      await open(o.before);
      const asked = { request: o.wish, client: 251 };
      const offer: Offer = offerOf(await send(victim, asked));
      await open(o.between);
      const memo = o.hasMemo ? {} : { memo: null };
      const payment = await payOffer(service, { from: wallet, offer, ...memo, atOnce: o.atOnce });
      await open(o.after);

      for (const one of visitors) {
        if (nameOf(one.request) === nameOf(o.wish)) continue;
        const stolen = await send(victim, { ...one, headers: { 'x-payment': payment } });
        expect([401, 402], JSON.stringify([one, stolen.body])).toContain(stolen.status);
      }
      const row = () => service.prisma.payment.findUnique({ where: { signature: payment } });
      expect((await row())?.state).not.toBe('used');

      const proof = {
        'x-wallet-address': wallet.address,
        'x-wallet-signature': wallet.signText(`quittance:${payment}`),
      };
      const isStatement = o.wish.route === 'statement';
      const bought = await send(victim, {
        request: o.wish.route === 'mint' ? { ...o.wish, asSeller: false } : o.wish,
        client: 251,
        headers: { 'x-payment': payment, ...(isStatement && !o.hasMemo ? proof : {}) },
        ...(isStatement || o.hasMemo ? {} : { by: wallet }),
      });
      expect([200, 202], JSON.stringify(bought.body)).toContain(bought.status);
      const used = await row();
      expect(used).toMatchObject({ state: 'used', payer: wallet.address });
      const [own, taken] = await Promise.all(
        [offer.memo, used?.quoteId ?? ''].map((id) =>
          service.prisma.quote.findUniqueOrThrow({ where: { id } }),
        ),
      );
      expect([taken?.path, taken?.bodySha256]).toEqual([own?.path, own?.bodySha256]);
    }),
    { numRuns: RUNS, seed: SEED, endOnFailure: true },
  );
}, 480_000);
