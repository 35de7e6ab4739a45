import bs58 from 'bs58';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import { NodesDiffer } from '@/server/chain/node-statuses';
import { createRpc } from '@/server/chain/rpc';
import type { ServiceContext } from '@/server/context';
import type { Env } from '@/server/env';
import { standingInLedger } from '@/server/payments/ledger/entries';
import { trusted } from '@/server/trusted';
import { type Answer, nodeOfTest } from '@/tests/harness/chain/fake-node';
import { MadeTransaction, named } from '@/tests/harness/chain/made-transaction';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { withdraw } from './manage-ledger';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

/** The signature of {@link MadeTransaction}. */
const signature = bs58.encode(Buffer.alloc(64, 7));
const [till, victim] = [named('the till'), named('victim')];

/** USDC that left the till for a wallet, in the form of a node. */
const sent = ({ to = 'victim', amount = 5_000_000n, slot = 250_000_000 } = {}): Answer => ({
  result: {
    ...new MadeTransaction({ feePayer: 'the till' })
      .account('till account', { owner: 'the till', amount: 9_000_000n })
      .account('purse', { owner: to, amount: 0n })
      .send('till account', 'purse', amount, { authority: 'the till' })
      .raw({ blockTime: 1_800_000_000 }),
    slot,
  },
});
const none: Answer = { result: null };
const silent: Answer = { error: { code: -32603, message: 'not now' } };

/**
 * Records the outflow as a withdrawal with nodes that each show this. Returns the rows, or why it
 * was refused.
 */
async function withdrawn(...answers: Answer[]) {
  const { prisma: db } = database;
  const nodes = await Promise.all(answers.map((answer) => nodeOfTest(() => answer)));
  const rpc = createRpc({ urls: nodes.map(({ url }) => url), timeoutMs: 2_000 });
  const env = trusted<Env>({ network: 'local', payTo: till }, 'all that is read of it');
  const service = trusted<ServiceContext>({ db, rpc, env }, 'all that is read of it');
  const limits = { state: null, rpcPoints: 0 };
  const actor = { kind: 'operator' as const, name: 'admin:anna', id: 'w', client: '', limits };
  try {
    const { entries } = await withdraw({ service, actor, input: { signature } });
    return entries.flatMap(({ token, purpose }) => (token === 'USDC' ? [purpose] : []));
  } catch (error) {
    return error instanceof Error ? error.constructor : error;
  }
}
const questionedBy = async () => {
  const payment = { signature: 'paid', payer: victim, slot: 5n };
  return (await standingInLedger(database.prisma, payment)).questionedBy;
};

it('money that left is a withdrawal only if two nodes show it, and its payer buys nothing until then', async () => {
  // The ledger learns of it from the first node.
  expect(await withdrawn(sent(), none)).toBe(RpcUnavailable);
  expect(await withdrawn(sent(), silent)).toBe(RpcUnavailable);
  for (const other of [{ amount: 4_000_000n }, { to: 'thief' }, { slot: 9 }]) {
    expect(await withdrawn(sent(), sent(other))).toBe(NodesDiffer);
    expect(await withdrawn(sent(other), sent(other))).toBe(NodesDiffer);
  }
  expect(await questionedBy()).toBe(signature);
  expect(await withdrawn(sent(), silent, sent())).toEqual(['withdrawal']);
  expect(await questionedBy()).toBeNull();
  // Once it is on record, a repeat asks no node.
  expect(await withdrawn(silent, silent)).toEqual(['withdrawal']);
});

it('the only node is enough', async () => {
  await database.prisma.ledgerEntry.deleteMany();
  expect(await withdrawn(sent())).toEqual(['withdrawal']);
});
