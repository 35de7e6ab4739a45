import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { callRpc } from '@/devnet/client/call-rpc';
import { fundWallet } from '@/devnet/client/fund-wallet';
import { makeWallet, type Wallet } from '@/devnet/client/wallet';
import { signOffer } from './harness/sign-offer';
import { sharedService } from './harness/shared-service';
import type { TestService } from './harness/start-service';
import { mintPaid, offerOf, payOffer } from './harness/use-payments';
import { askStatement, awaitFinal, payTimes } from './harness/use-statements';
import { mint, pay, type Answer } from './harness/use-service';

/**
 * More quotes than the service once read for a wallet, to push the victim's own quote out of view.
 */
const FLOOD = 210;
const USDC = 1_000_000n;

let service: TestService;
let victim: Wallet;
/** 51 small final payments of the victim: one list for each price of a statement. */
let listed: string[];
describe('payments without memo', () => {
  beforeAll(async () => {
    service = await sharedService();
    victim = makeWallet();
    const funds = { sol: 2, token: 'USDC', amount: '30000' } as const;
    await fundWallet(service.rpcUrl, { wallet: victim.address, ...funds });
    listed = await payTimes(service, { from: victim, to: makeWallet(), count: 51 });
  });
  beforeEach(async () => {
    // Offers of the previous test would compete with the offer of this one.
    await service.prisma.quote.deleteMany();
  });

  const paymentOf = (signature: string) =>
    service.prisma.payment.findUnique({ where: { signature } });
  /** Asks for a statement of the victim over some of its payments. Anybody may do this. */
  const stateVictim = (transactions: string[], headers: Record<string, string> = {}) =>
    askStatement(
      service,
      { wallet_address: victim.address, transactions },
      { prefer: 'wait=0', ...headers },
    );
  const proofOver = (payment: string) => ({
    'x-wallet-address': victim.address,
    'x-wallet-signature': victim.signText(`quittance:${payment}`),
  });
  const outcome = ({ status, body }: Answer) => [status, body['code']];

  /** A sale of the victim whose receipt costs exactly this much USDC. */
  async function offerFor(feeUsdc: bigint) {
    const amount = feeUsdc * 1_000n * USDC;
    const signature = await pay(service, { from: victim, to: makeWallet(), amount });
    await awaitFinal(service, [signature]);
    const offer = offerOf(await mint(service, { signature }));
    expect(offer.amount).toBe(feeUsdc * USDC);
    return { signature, offer };
  }

  describe('a fee that the victim paid without a memo, at the price of a statement', () => {
    it.each([
      [1n, 1],
      [3n, 11],
      [5n, 51],
    ])(
      'of %s USDC is not spent by a stranger who asks for a statement of %s rows after seeing it',
      async (feeUsdc, rows) => {
        const { signature, offer } = await offerFor(feeUsdc);
        const payment = await payOffer(service, { from: victim, offer, memo: null });
        const theirs = listed.slice(0, rows);
        expect(offerOf(await stateVictim(theirs)).amount).toBe(offer.amount);
        const stolen = await stateVictim(theirs, { 'x-payment': payment });
        // Both codes are a refusal. An offer opened in the payment's own slot may count as known,
        // one of a later slot does not.
        expect([
          [401, 'payer_proof_needed'],
          [402, 'payment_without_quote'],
        ]).toContainEqual(outcome(stolen));
        expect(await paymentOf(payment)).toBeNull();

        // Without the headers of the wallet that paid nothing happens. With them the payment buys
        // its receipt.
        const bare = await mintPaid(service, { signature, payment });
        expect(outcome(bare)).toEqual([401, 'payer_proof_needed']);
        expect(await paymentOf(payment)).toBeNull();
        const own = await mintPaid(service, { signature, payment, wallet: victim });
        expect(own.status, JSON.stringify(own.body)).toBe(200);
        expect(await paymentOf(payment)).toMatchObject({ state: 'used', quoteId: offer.memo });
      },
    );

    it('is not spent by a stranger who asked before, because the offer of the receipt competes', async () => {
      const theirs = listed.slice(0, 2);
      offerOf(await stateVictim(theirs));
      const { signature, offer } = await offerFor(1n);
      const payment = await payOffer(service, { from: victim, offer, memo: null });
      const stolen = await stateVictim(theirs, { 'x-payment': payment });
      expect(outcome(stolen)).toEqual([401, 'payer_proof_needed']);
      expect(stolen.body['details']).toMatchObject({ sign: `quittance:${payment}` });
      expect(await paymentOf(payment)).toBeNull();
      expect((await mintPaid(service, { signature, payment, wallet: victim })).status).toBe(200);
    });
  });

  describe('a statement that the victim paid without a memo', () => {
    it(`is found behind ${FLOOD} quotes of a stranger at another price`, async () => {
      const [mine, theirs] = [listed.slice(0, 3), listed.slice(3, 6)];
      offerOf(await stateVictim(theirs));
      const offer = offerOf(await stateVictim(mine));
      for (let n = 0; n < FLOOD; n += 10)
        await Promise.all(
          Array.from({ length: 10 }, async (_, k) => {
            const [first = '', ...rest] = listed.slice(0, 11 + Math.floor((n + k) / 11));
            const at = (n + k) % 11;
            const list = [...rest.slice(0, at), first, ...rest.slice(at)];
            expect(offerOf(await stateVictim(list)).amount).toBe(3n * USDC);
          }),
        );
      const payment = await payOffer(service, { from: victim, offer, memo: null });
      for (const list of [theirs, mine])
        expect(outcome(await stateVictim(list, { 'x-payment': payment }))).toEqual([
          401,
          'payer_proof_needed',
        ]);
      expect(await paymentOf(payment)).toBeNull();
      const own = await stateVictim(mine, { 'x-payment': payment, ...proofOver(payment) });
      expect(own.status, JSON.stringify(own.body)).toBe(202);
      expect(await paymentOf(payment)).toMatchObject({ state: 'used', quoteId: offer.memo });
    });

    it('too soon after its offer needs the wallet headers, and then buys the receipt', async () => {
      const mine = listed.slice(6, 9);
      const offer = offerOf(await stateVictim(mine));
      const { openedSlot } = await service.prisma.quote.findUniqueOrThrow({
        where: { id: offer.memo },
      });
      const payment = await payOffer(service, { from: victim, offer, memo: null });
      const { slot } = await landed(payment);
      // Moves the offer's slot, so that the payment landed three slots after it.
      const noted = { where: { id: offer.memo }, data: { openedSlot: slot - 3n } };
      await service.prisma.quote.update(noted);
      expect(openedSlot).toBeLessThan(slot - 3n);
      const early = await stateVictim(mine, { 'x-payment': payment });
      expect(outcome(early)).toEqual([401, 'payer_proof_needed']);
      expect(await paymentOf(payment)).toBeNull();
      const own = await stateVictim(mine, { 'x-payment': payment, ...proofOver(payment) });
      expect(own.status, JSON.stringify(own.body)).toBe(202);
    });

    it('for an offer made during a node outage needs the wallet headers, and the message says so', async () => {
      const mine = listed.slice(9, 12);
      await service.fault('chain', { failMethods: { getSlot: { status: 503 } } });
      const asked = await stateVictim(mine);
      await service.fault('chain', null);
      const offer = offerOf(asked);
      expect(asked.body['message']).toContain('send the wallet headers of the wallet that paid');
      expect(await service.prisma.quote.findUnique({ where: { id: offer.memo } })).toMatchObject({
        openedSlot: null,
      });
      const payment = await payOffer(service, { from: victim, offer, memo: null });
      expect(outcome(await stateVictim(mine, { 'x-payment': payment }))).toEqual([
        401,
        'payer_proof_needed',
      ]);
      const byMemo = await payOffer(service, { from: victim, offer });
      const sold = await stateVictim(mine, { 'x-payment': byMemo });
      expect(sold.status, JSON.stringify(sold.body)).toBe(202);
    });
  });

  describe.each(['v1', 'v2'] as const)(
    'a payment by x402 %s without the memo of its offer',
    (version) => {
      it('buys the request it came with, even if a stranger opens quotes around it', async () => {
        const start = version === 'v1' ? 15 : 30;
        const [mine, ...theirs] = [0, 3, 6].map((at) => listed.slice(start + at, start + at + 3));
        offerOf(await stateVictim(theirs[0] ?? []));
        const answer = await stateVictim(mine ?? []);
        const { memo } = offerOf(answer);
        offerOf(await stateVictim(theirs[1] ?? []));
        const headers = await signOffer(service, { answer, from: victim, version, memo: null });
        // A stranger who asks as well gets the same quote.
        expect(offerOf(await stateVictim(mine ?? [])).memo).toBe(memo);
        const sold = await stateVictim(mine ?? [], headers);
        expect(sold.status, JSON.stringify(sold.body)).toBe(202);
        const [row] = await service.prisma.payment.findMany({ where: { quoteId: memo } });
        expect(row).toMatchObject({ state: 'used', payer: victim.address, dialect: version });
        for (const list of theirs)
          for (const shown of [headers, { 'x-payment': row?.signature ?? '' }]) {
            const again = await stateVictim(list, shown);
            expect(outcome(again)).toEqual([402, 'payment_already_used']);
          }
      });
    },
  );

  /** The slot of a confirmed transaction. */
  async function landed(signature: string): Promise<{ slot: bigint }> {
    const answer = await callRpc(service.rpcUrl, 'getSignatureStatuses', [[signature]]);
    const { value } = z.object({ value: z.tuple([z.object({ slot: z.number() })]) }).parse(answer);
    return { slot: BigInt(value[0].slot) };
  }
});
