import bs58 from 'bs58';
import { afterEach, describe, expect, it } from 'vitest';
import { TOKEN_2022 } from '@quittance/verify/chain/programs';
import { NodesDiffer } from '@/server/chain/node-statuses';
import { createRpc } from '@/server/chain/rpc';
import { metrics } from '@/server/metrics';
import { RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import {
  httpStatus,
  startFakeNode,
  type Answer,
  type FakeNode,
} from '@/tests/harness/chain/fake-node';
import { BLOCK_TIME, MadeTransaction, named, USDC } from '@/tests/harness/chain/made-transaction';
import { readFeePayment } from './read-fee-payment';

/** The signer of {@link MadeTransaction}. */
const SIGNATURE = bs58.encode(Buffer.alloc(64, 7));
const WALLET = named('the till');
const payTo = { wallet: WALLET, account: named('till account'), mint: USDC };
const open: FakeNode[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((node) => node.close()));
});

async function read(result: unknown, signature = SIGNATURE) {
  const node = await startFakeNode(() => ({ result }));
  open.push(node);
  const rpc = createRpc({ urls: [node.url], timeoutMs: 2_000 });
  const reading = await readFeePayment({ rpc, signature, payTo });
  return { reading, calls: node.calls.map(({ method }) => method) };
}

const till = (made: MadeTransaction) =>
  made.account(payTo.account, { owner: WALLET, amount: 1_000_000n });
const begin = (feePayer = 'customer') =>
  till(new MadeTransaction({ feePayer, signers: feePayer === 'customer' ? [] : ['customer'] }))
    .account('purse', { owner: 'customer', amount: 9_000_000n })
    .account('purse 2', { owner: 'customer', amount: 1_000_000n })
    .account('friend purse', { owner: 'friend', amount: 5_000_000n });

describe('a payment to the service', () => {
  it('is what its account gained, of the owner of the money, in one call', async () => {
    const made = begin('sponsor')
      .send('purse', payTo.account, 100_000n, { authority: 'customer' })
      .memo(' QT123 ');
    const { reading, calls } = await read(made.raw());
    expect(reading).toEqual({
      state: 'paid',
      payment: {
        signature: SIGNATURE,
        slot: 250_000_000n,
        blockTime: new Date(BLOCK_TIME * 1000),
        payTo: WALLET,
        payer: named('customer'),
        amountMicros: 100_000n,
        memos: ['QT123'],
      },
    });
    expect(calls).toEqual(['getTransaction']);
  });

  it('counts when a program made the transfer, as smart wallets do', async () => {
    const made = begin()
      .send('purse', payTo.account, 60_000n, { authority: 'vault', by: 'squads' })
      .send('purse 2', payTo.account, 40_000n, { authority: 'vault', by: 'squads' })
      .memo('QT456', 'squads');
    const { reading } = await read(made.raw());
    expect(reading).toMatchObject({
      state: 'paid',
      payment: { payer: named('customer'), amountMicros: 100_000n, memos: ['QT456'] },
    });
  });

  it('is less what went back in the same transaction', async () => {
    const made = begin()
      .send('purse', payTo.account, 100_000n, { authority: 'customer' })
      .send(payTo.account, 'purse', 30_000n, { authority: 'the till' });
    expect((await read(made.raw())).reading).toMatchObject({ payment: { amountMicros: 70_000n } });
  });

  it.each([
    [
      'that failed on chain',
      begin()
        .send('purse', payTo.account, 100_000n, { authority: 'customer' })
        .raw({
          err: { InstructionError: [0, 'Custom'] },
        }),
      'payment_failed',
    ],
    [
      'to another wallet',
      begin().send('purse', 'friend purse', 100_000n, { authority: 'customer' }).raw(),
      'payment_not_to_us',
    ],
    [
      'to another account of ours, where no client is told to pay',
      begin()
        .account('drawer', { owner: WALLET, amount: 0n })
        .send('purse', 'drawer', 100_000n, { authority: 'customer' })
        .raw(),
      'payment_not_to_us',
    ],
    [
      'in a token with the same decimals',
      new MadeTransaction({ feePayer: 'customer' })
        .mint('fake dollar', {})
        .account('fake purse', { mint: 'fake dollar', owner: 'customer', amount: 9_000_000n })
        .account('fake till', { mint: 'fake dollar', owner: WALLET, amount: 0n })
        .send('fake purse', 'fake till', 100_000n, { authority: 'customer' })
        .raw(),
      'payment_wrong_token',
    ],
    [
      'in a Token-2022 token',
      new MadeTransaction({ feePayer: 'customer' })
        .mint('new dollar', { program: TOKEN_2022 })
        .account('new purse', { mint: 'new dollar', owner: 'customer', amount: 9_000_000n })
        .account('new till', { mint: 'new dollar', owner: WALLET, amount: 0n })
        .send('new purse', 'new till', 100_000n, { authority: 'customer', withheld: 1_000n })
        .raw(),
      'payment_wrong_token',
    ],
    [
      'by two wallets',
      begin()
        .send('purse', payTo.account, 50_000n, { authority: 'customer' })
        .send('friend purse', payTo.account, 50_000n, { authority: 'friend' })
        .raw(),
      'payment_several_payers',
    ],
    [
      'by a wallet that the transaction does not show',
      till(new MadeTransaction({ feePayer: 'customer' }))
        .account('dark purse', { owner: null, amount: 9_000_000n })
        .send('dark purse', payTo.account, 100_000n, { authority: 'customer' })
        .raw(),
      'payment_several_payers',
    ],
  ])('%s is refused', async (_, raw, code) => {
    expect((await read(raw)).reading).toMatchObject({ state: 'refused', code });
  });

  it('that no node knows is absent; an answer about another one does not count', async () => {
    expect((await read(null)).reading).toEqual({ state: 'absent' });
    const made = begin().send('purse', payTo.account, 1n, { authority: 'customer' });
    const other = bs58.encode(Buffer.alloc(64, 8));
    await expect(read(made.raw(), other)).rejects.toThrow(RpcUnavailable);
  });

  describe('a payment that one node shows wrongly', () => {
    const paid = begin().send('purse', payTo.account, 100_000n, { authority: 'customer' }).raw();
    const noMeta = { ...paid, meta: null };
    const noTokens = {
      ...paid,
      meta: paid.meta && { ...paid.meta, preTokenBalances: null, postTokenBalances: null },
    };
    const elsewhere = begin()
      .send('purse', 'friend purse', 100_000n, { authority: 'customer' })
      .raw();
    const failed = { ...paid, meta: paid.meta && { ...paid.meta, err: 'AccountInUse' } };
    const odd: Answer = { error: { code: -32602, message: 'no such thing' } };

    async function over(...answers: Answer[]) {
      const nodes = await Promise.all(answers.map((answer) => startFakeNode(() => answer)));
      open.push(...nodes);
      const rpc = createRpc({ urls: nodes.map(({ url }) => url), timeoutMs: 2_000 });
      return readFeePayment({ rpc, signature: SIGNATURE, payTo });
    }

    it.each<[string, Answer]>([
      ['without balances', { result: noMeta }],
      ['without token balances', { result: noTokens }],
      ['refused', odd],
    ])('%s is no payment refused: the other node is asked', async (_, answer) => {
      await expect(over(answer)).rejects.toThrow(RpcUnavailable);
      await expect(over(answer, answer)).rejects.toThrow(RpcUnavailable);
      expect(await over(answer, { result: paid })).toMatchObject({ state: 'paid' });
    });

    it('is refused only where two nodes show the same reason', async () => {
      await expect(over({ result: elsewhere }, { result: paid })).rejects.toThrow(RpcUnavailable);
      await expect(over({ result: elsewhere }, { result: failed })).rejects.toThrow(RpcUnavailable);
      await expect(over({ result: elsewhere }, { result: null })).rejects.toThrow(RpcUnavailable);
      await expect(over({ result: elsewhere }, { result: noMeta })).rejects.toThrow(RpcUnavailable);
      expect(await over({ result: failed }, { result: noMeta }, { result: failed })).toMatchObject({
        code: 'payment_failed',
      });
    });

    it.each([
      ['amount', begin().send('purse', payTo.account, 99_999n, { authority: 'customer' }).raw()],
      [
        'payer',
        begin().send('friend purse', payTo.account, 100_000n, { authority: 'friend' }).raw(),
      ],
      [
        'memo',
        begin()
          .send('purse', payTo.account, 100_000n, { authority: 'customer' })
          .memo('QT999')
          .raw(),
      ],
      ['time', { ...paid, blockTime: BLOCK_TIME - 200_000 }],
      ['slot', { ...paid, slot: Number(paid.slot) + 9 }],
    ])('counts for nothing while two nodes show another %s', async (_, other) => {
      await expect(over({ result: paid }, { result: other })).rejects.toThrow(RpcUnavailable);
      await expect(over({ result: other }, { result: paid })).rejects.toThrow(RpcUnavailable);
    });

    it('is the one that two nodes of three show, without waiting for the third', async () => {
      const other = begin().send('purse', payTo.account, 1n, { authority: 'customer' }).raw();
      for (const third of [other, failed, elsewhere])
        for (const place of [0, 1, 2]) {
          const answers: Answer[] = [{ result: paid }, { result: paid }];
          answers.splice(place, 0, { result: third });
          const reading = await over(...answers);
          expect(reading).toMatchObject({ payment: { amountMicros: 100_000n } });
          expect(reading).not.toHaveProperty('isAlone');
        }
      expect(await over({ result: failed }, { result: paid }, { result: failed })).toMatchObject({
        code: 'payment_failed',
      });
      await expect(over({ result: other }, { result: paid }, { result: failed })).rejects.toThrow(
        NodesDiffer,
      );
      // Two against two: no majority.
      await expect(
        over({ result: other }, { result: paid }, { result: paid }, { result: other }),
      ).rejects.toThrow(NodesDiffer);
    });

    it('is said to be alone where one node of two knows it', async () => {
      expect(await over({ result: paid }, { result: null })).toHaveProperty('isAlone', true);
      expect(await over({ result: null }, { result: paid })).toHaveProperty('isAlone', true);
      expect(await over({ result: paid }, odd)).toHaveProperty('isAlone', true);
      expect(await over({ result: paid }, { result: paid })).not.toHaveProperty('isAlone');
    });

    it('is absent once two nodes know none, without a third', async () => {
      const none: Answer = { result: null };
      expect(await over(none, none, httpStatus(503))).toEqual({ state: 'absent' });
      expect(await over(httpStatus(503), none, none)).toEqual({ state: 'absent' });
      await expect(over(none, httpStatus(503))).rejects.toThrow(RpcUnavailable);
      await expect(over(none, httpStatus(503), httpStatus(503))).rejects.toThrow(RpcUnavailable);
      await expect(over(none, none, { result: noMeta })).rejects.toThrow(RpcUnavailable);
      expect(await over(none, { result: paid }, httpStatus(503))).toHaveProperty('isAlone', true);
      expect(metrics().lonePayments.has(SIGNATURE)).toBe(true);
      expect(await over({ result: paid }, { result: paid })).toHaveProperty('state', 'paid');
      expect(metrics().lonePayments.has(SIGNATURE)).toBe(false);
    });

    it('is refused if no node returns its version', async () => {
      const newer: Answer = { error: { code: -32015, message: 'version 1 is not supported' } };
      expect(await over(newer, newer)).toMatchObject({ code: 'payment_failed' });
      expect(await over(newer, { result: paid })).toMatchObject({ state: 'paid' });
    });

    it('without a token program moves no token and needs no balances', async () => {
      const note = till(new MadeTransaction({ feePayer: 'customer' }))
        .memo('QT123')
        .raw();
      const bare = {
        ...note,
        meta: note.meta && { ...note.meta, preTokenBalances: [], postTokenBalances: [] },
      };
      expect(await over({ result: bare }, { result: bare })).toMatchObject({
        code: 'payment_not_to_us',
      });
    });
  });
});
