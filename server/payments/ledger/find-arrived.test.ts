import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import { createRpc, type Rpc } from '@/server/chain/rpc';
import { databaseNow } from '@/server/db/database-clock';
import type { ServiceContext } from '@/server/context';
import type { Env } from '@/server/env';
import { trusted } from '@/server/trusted';
import { readPayment } from '@/server/use-cases/payments/read-payment';
import { refundPayment } from '@/server/use-cases/payments/refund-payment';
import { type Answer, type FakeNode, nodeOfTest } from '@/tests/harness/chain/fake-node';
import { MadeTransaction, named } from '@/tests/harness/chain/made-transaction';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import bs58 from 'bs58';
import { NodesDiffer } from '@/server/chain/node-statuses';
import { ServiceError } from '@/server/errors';
import { findArrived, listUnpresented, settlePayers } from './find-arrived';
import type { NoteContext } from './note-transactions';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  const { prisma } = database;
  await prisma.ledgerEntry.deleteMany();
  await prisma.ledgerRefund.deleteMany();
  await prisma.ledgerHold.deleteMany();
  await prisma.payment.deleteMany();
});

const at = new Date(Date.UTC(2026, 10, 29));
const entry = (signature: string, o: object = {}) => ({
  signature,
  account: 'till USDC',
  wallet: 'till',
  mint: 'm',
  token: 'USDC',
  decimals: 6,
  direction: 'in' as const,
  amountRaw: 5_000_000n,
  beforeRaw: 0n,
  afterRaw: 5_000_000n,
  memos: [],
  parties: [{ owner: 'payer', amount: '5000000' }],
  slot: 10n,
  blockTime: at,
  createdAt: at,
  ...o,
});
const put = (...data: ReturnType<typeof entry>[]) =>
  database.prisma.ledgerEntry.createMany({ data });
const addRow = (o: {
  signature: string;
  payer: string | null;
  amountMicros?: bigint;
  slot?: bigint;
}) =>
  database.prisma.payment.create({
    data: {
      id: `P${o.signature}`,
      dialect: 'documented',
      payTo: 'till',
      state: 'unused',
      requestSha256: 'r',
      amountMicros: 5_000_000n,
      slot: 10n,
      createdAt: at,
      updatedAt: at,
      ...o,
    },
  });
const list = (cursor: string | null = null) => {
  const alone = trusted<NoteContext>(
    { db: database.prisma, rpc: trusted<Rpc>({ nodes: 1 }, 'it is not asked') },
    'nothing else is read',
  );
  return listUnpresented(alone, { cursor });
};
const refund = (paymentSignature: string, amountRaw: bigint) =>
  database.prisma.ledgerRefund.create({
    data: {
      refundSignature: `r${amountRaw}`,
      paymentSignature,
      token: 'USDC',
      amountRaw,
      fromWallet: 'till',
      fromLedger: true,
      recordedAt: at,
    },
  });

it('lists what arrived and nobody presented, with what is left of it', async () => {
  await put(
    entry('a'),
    entry('b', { slot: 9n, token: 'SOL', mint: null, decimals: 9, account: 'till' }),
    entry('sent', { direction: 'out', beforeRaw: 5_000_000n, afterRaw: 0n }),
    entry('moved', { purpose: 'internal' }),
    entry('named', { direction: 'none', amountRaw: 0n, afterRaw: 0n }),
    entry('presented'),
    entry('returned'),
  );
  await addRow({ signature: 'presented', payer: null });
  await refund('a', 1_000_000n);
  await refund('returned', 5_000_000n);
  const heldUntil = new Date((await databaseNow(database.prisma)).getTime() + 60_000);
  await database.prisma.ledgerHold.create({ data: { paymentSignature: 'a', heldUntil } });
  const { arrived, nextCursor } = await list();
  expect(arrived).toMatchObject([
    { signature: 'b', token: 'SOL', leftRaw: 5_000_000n, isHeld: false },
    { signature: 'a', amountRaw: 5_000_000n, leftRaw: 4_000_000n, payers: ['payer'], isHeld: true },
  ]);
  expect(arrived.map(({ blockTime }) => blockTime)).toEqual([at, at]);
  expect(nextCursor).toBeNull();
});

it('counts several accounts of one transaction as one, and pages miss none and double none', async () => {
  const letters = Array.from({ length: 230 }, (_, n) => `s${n}`.replaceAll('0', 'z'));
  await put(
    ...letters.map((signature, n) => entry(signature, { slot: BigInt(n % 7) })),
    entry('s1', { slot: 1n, account: 'another account', amountRaw: 1n, afterRaw: 1n }),
  );
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page = await list(cursor);
    expect(page.arrived.length).toBeLessThanOrEqual(100);
    seen.push(...page.arrived.map(({ signature }) => signature));
    cursor = page.nextCursor;
  } while (cursor !== null);
  expect(seen).toHaveLength(230);
  expect(new Set(seen)).toEqual(new Set(letters));
  await expect(list('nonsense')).rejects.toMatchObject({ code: 'invalid_request' });
});

it('belongs to the payer on chain, whatever payer was noted', async () => {
  await put(
    entry('a'),
    entry('two', { parties: ['b', 'payer'].map((owner) => ({ owner, amount: '1' })) }),
  );
  const payersOf = async (signature: string, payer: string) => {
    const row = await addRow({ signature: `${signature} as ${payer}`, payer });
    const [found] = await findArrived(database.prisma, { signature, row });
    return found?.payers;
  };
  expect(await payersOf('a', 'liar')).toEqual(['payer']);
  expect(await payersOf('a', 'payer')).toEqual(['payer']);
  // Of several owners it is the one that paid.
  expect(await payersOf('two', 'payer')).toEqual(['payer']);
  expect(await payersOf('two', 'liar')).toEqual(['b', 'payer']);
});

describe('the payer that receives a refund', () => {
  /** The signer of {@link MadeTransaction}. */
  const signature = bs58.encode(Buffer.alloc(64, 7));
  const [till, victim, thief] = [named('the till'), named('victim'), named('thief')];
  /** 5 USDC by a wallet, as a node shows it. */
  const by = (owner: string): Answer => ({
    result: new MadeTransaction({ feePayer: owner })
      .account('till account', { owner: 'the till', amount: 0n })
      .account('purse', { owner, amount: 9_000_000n })
      .send('purse', 'till account', 5_000_000n, { authority: owner })
      .raw(),
  });
  const silent: Answer = { error: { code: -32603, message: 'not now' } };

  /** The client for these nodes, with a ledger row that names the thief as payer of 5 USDC. */
  const withNodes = (...answers: Answer[]) => withCalls(...answers.map((answer) => () => answer));
  async function withCalls(...answers: FakeNode['answer'][]) {
    const nodes = await Promise.all(answers.map(nodeOfTest));
    const rpc = createRpc({ urls: nodes.map(({ url }) => url), timeoutMs: 2_000 });
    const operator = { name: 'Till', contact: 'till@example.com' };
    const env = trusted<Env>({ network: 'local', payTo: till, operator }, 'all that is read of it');
    const parties = [{ owner: thief, amount: '5000000' }];
    await put(entry(signature, { account: named('till account'), wallet: till, parties }));
    return { db: database.prisma, rpc, env };
  }

  /** The payers by these nodes, with a row that names this one. */
  async function settled(payer: string | null, ...answers: Answer[]) {
    return settledOf(payer === null ? null : { payer }, ...answers);
  }
  async function settledOf(
    noted: { payer: string; amountMicros?: bigint; slot?: bigint } | null,
    ...answers: Answer[]
  ) {
    const service = await withNodes(...answers);
    const row = noted === null ? null : await addRow({ signature, ...noted });
    const arrived = await findArrived(service.db, { signature, row });
    const [found] = await settlePayers(service, { arrived, signature, row });
    return found?.payers;
  }

  it.each([
    ['a row names another', victim],
    ['nobody presented it', null],
    ['a row names a third', named('stranger')],
  ])('is the one that two nodes show, where %s', async (_, payer) => {
    expect(await settled(payer, by('thief'), by('victim'), by('victim'))).toEqual([victim]);
  });

  it('is nobody while nodes contradict each other or too few answer', async () => {
    await expect(settled(victim, by('thief'), by('victim'))).rejects.toThrow(NodesDiffer);
  });

  it('is nobody while one node alone shows it', async () => {
    await expect(settled(null, by('thief'), silent)).rejects.toThrow(RpcUnavailable);
  });

  it('is the one that the only node shows, and no node is asked where the row says the same', async () => {
    expect(await settled(thief, silent, silent)).toEqual([thief]);
    await database.prisma.ledgerEntry.deleteMany();
    expect(await settled(null, silent)).toEqual([thief]);
  });

  it('is asked of two nodes where the ledger has another amount than the row', async () => {
    const invented = { payer: thief, amountMicros: 100_000n };
    await expect(settledOf(invented, silent, silent)).rejects.toThrow(RpcUnavailable);
  });

  it('is asked of two nodes where the ledger has another slot than the row', async () => {
    const noted = { payer: thief, slot: 250_000_000n };
    await expect(settledOf(noted, silent, silent)).rejects.toThrow(RpcUnavailable);
    await database.prisma.ledgerEntry.deleteMany();
    await database.prisma.payment.deleteMany();
    const service = await withNodes(by('thief'), by('thief'));
    const row = await addRow({ signature, ...noted });
    const arrived = await findArrived(service.db, { signature, row });
    expect(arrived.map(({ slot }) => slot)).toEqual([10n]);
    const [found] = await settlePayers(service, { arrived, signature, row });
    expect(found?.slot).toBe(250_000_000n);
  });

  it('is left out of the public answer while one node is silent, and the rest is answered', async () => {
    const answer = async (...answers: Answer[]) => {
      const service = trusted<ServiceContext>(
        await withNodes(...answers),
        'all that is read of it',
      );
      const actor = { kind: 'job' as const, id: 'j', client: '' as const };
      return readPayment({ service, actor, input: { signature } });
    };
    expect(await answer(by('thief'), silent)).toMatchObject({
      payer: null,
      state: 'received',
      amount_raw: '5000000',
      left_raw: '5000000',
    });
    await database.prisma.ledgerEntry.deleteMany();
    expect(await answer(by('thief'), by('thief'))).toMatchObject({ payer: thief });
    await database.prisma.ledgerEntry.deleteMany();
    await expect(answer(by('thief'), by('victim'))).rejects.toThrow(NodesDiffer);
  });

  it('is listed with what nobody presented only where two nodes show it', async () => {
    const listed = async (...answers: Answer[]) => {
      await database.prisma.ledgerEntry.deleteMany();
      const { arrived } = await listUnpresented(await withNodes(...answers), { cursor: null });
      return arrived.map(({ payers, isWitnessed }) => ({ payers, isWitnessed }));
    };
    const unknown = [{ payers: [], isWitnessed: false }];
    expect(await listed(by('thief'), silent)).toEqual(unknown);
    expect(await listed(by('thief'), by('victim'))).toEqual(unknown);
    expect(await listed(by('victim'), by('thief'), by('victim'))).toEqual([
      { payers: [victim], isWitnessed: true },
    ]);
    expect(await listed(by('victim'))).toEqual([{ payers: [thief], isWitnessed: true }]);
  });

  describe('a refund on record', () => {
    const refundSignature = bs58.encode(Buffer.alloc(64, 8));
    /** 5 USDC back, from the till or from another wallet of the operator. */
    const back = (
      from: string,
      { to = 'victim', amount = 5_000_000n, slot = 250_000_000 } = {},
    ): Answer => {
      const raw = new MadeTransaction({ feePayer: from })
        .account(`${from} account`, { owner: from, amount: 9_000_000n })
        .account('purse', { owner: to, amount: 0n })
        .send(`${from} account`, 'purse', amount, { authority: from })
        .raw({ blockTime: at.getTime() / 1_000 + 60 });
      return {
        result: {
          ...raw,
          slot,
          transaction: { ...raw.transaction, signatures: [refundSignature] },
        },
      };
    };
    const none: Answer = { result: null };
    const status = { slot: 250_000_000, err: null, confirmationStatus: 'finalized' };

    /** The refund that the ledger has when each of the nodes shows this, or why it has none. */
    async function refunded(...answers: Answer[]) {
      await database.prisma.ledgerEntry.deleteMany();
      const nodes = answers.map((answer): FakeNode['answer'] => ({ method, params }) => {
        if (method === 'getSignatureStatuses')
          return { result: { context: { slot: 1 }, value: [answer === none ? null : status] } };
        return params[0] === signature ? by('victim') : answer;
      });
      const service = trusted<ServiceContext>(
        { ...(await withCalls(...nodes)), clock: { now: () => at } },
        'nothing else is read',
      );
      const actor = { kind: 'operator' as const, name: 'admin:anna', id: 'r', client: '' };
      const input = { payment_signature: signature, refund_signature: refundSignature };
      const call = { service, actor: { ...actor, limits: { state: null, rpcPoints: 0 } }, input };
      try {
        return (await refundPayment(call)).refunds.map((one) => one.amount_raw);
      } catch (error) {
        if (error instanceof ServiceError) return error.message;
        return error instanceof Error ? error.constructor : error;
      }
    }

    it.each([
      ['the till', RpcUnavailable],
      ['another wallet', NodesDiffer],
    ])('sent by %s, as two nodes show it', async (from, whileOneShows) => {
      expect(await refunded(back(from), none)).toBe(whileOneShows);
      expect(await refunded(back(from), back(from, { amount: 4_000_000n }))).toBe(NodesDiffer);
      expect(await database.prisma.ledgerRefund.count()).toBe(0);
      expect(await refunded(back(from), none, back(from))).toEqual(['5000000']);
      await database.prisma.ledgerRefund.deleteMany();
      expect(await refunded(back(from, { to: 'thief' }))).toEqual(['5000000']);
    });

    it.each(['the till', 'another wallet'])('unless %s sent it in an older slot', async (from) => {
      expect(await refunded(back(from, { to: 'thief', slot: 9 }))).toContain('older');
    });
  });
});
