import { beforeEach, expect, it } from 'vitest';
import * as findQualifyingModule from '@/server/payments/find-qualifying';
import * as purchaseModule from './purchase';
import * as lookForPaymentModule from './look-for-payment';
import * as judgeAttemptModule from '@/server/nft/judge-attempt';
import * as awaitedPaymentsModule from '@/server/payments/awaited-payments';
import { standIn } from '@/tests/harness/stand-in';
import type { Rpc } from '@/server/chain/rpc';
import type { Qualifying } from '@/server/payments/find-qualifying';
import type { PreparedQuote } from '@/server/payments/awaited-payments';
import type { FeeReading } from '@/server/payments/read-fee-payment';
import { trusted } from '@/server/trusted';
import { named } from '@/tests/harness/chain/made-transaction';
import type { Call } from '../call';
import { followQuote } from './follow-quote';
import { lookOnNodes } from './look-on-nodes';

/**
 * The payment that the history of each node leads to, and the joint answer of all nodes about the
 * noted payment.
 */
const world: { found: unknown[]; hinted: unknown; spent: unknown } = {
  found: [],
  hinted: null,
  spent: null,
};
standIn(findQualifyingModule, {
  findQualifying: async ({ history }: { history: { place: number } }) => world.found[history.place],
  shortfallOf: () => null,
  spentInLedger: async () => world.spent,
});
standIn(purchaseModule, { payersOf: async () => ['payer'] });
standIn(lookForPaymentModule, { lookForPayment: async () => world.hinted });
standIn(judgeAttemptModule, {
  judgeAttempt: async () => ({ state: 'landed', isFinal: true }),
});
standIn(awaitedPaymentsModule, {
  forgetAwaited: async () => undefined,
});

const tip = async () => ({ slot: 1_000n, height: 1_000n });
const node = (place: number) => ({ place, nodes: 1, getFinalizedTip: tip });
const call: Call = {
  service: trusted<Call['service']>(
    {
      db: {},
      env: { network: 'local' },
      rpc: trusted<Rpc>({ nodes: 3, onNode: node }, 'the test asks no more'),
    },
    'nothing else of it is read',
  ),
  actor: trusted<Call['actor']>({ kind: 'anyone' }, 'nobody is asked for'),
  input: null,
};
const quote = trusted<PreparedQuote>(
  {
    id: 'QT',
    payTo: named('till'),
    closedFor: [],
    mayBeSent: true,
    paymentHint: null,
    awaited: [{ quoteId: 'QT', wallet: 'payer', signature: 'hint', landsUntil: 9n }],
  },
  'all that is read of it',
);
const none: Qualifying = { state: 'none', shortfall: null };
const shown: Qualifying = { state: 'found', signature: 'real' };
const invented: Qualifying = { state: 'found', signature: 'invented', isAlone: true };

const payment = { signature: 'hint', amountMicros: 1n };
const reading = (o: object) => trusted<FeeReading>({ state: 'paid', payment, ...o }, 'of the test');

beforeEach(() => {
  world.found = [none, none, none];
  world.spent = null;
});

it('a payment that two nodes show comes before one that only one node shows, in any order', async () => {
  for (const found of [
    [invented, shown, shown],
    [shown, invented, none],
    [none, invented, shown],
  ]) {
    world.found = found;
    expect(await lookOnNodes(call, quote, {})).toEqual({ state: 'paid', signature: 'real' });
  }
  world.found = [none, invented, none];
  expect(await lookOnNodes(call, quote, {})).toMatchObject({
    signature: 'invented',
    isAlone: true,
  });
});

it('one node’s word about a noted, spent payment decides nothing', async () => {
  world.spent = { detail: 'it was refunded' };
  world.hinted = reading({ isAlone: true });
  expect(await followQuote(call, quote)).toEqual({ state: 'waiting', signature: 'hint' });
  world.hinted = reading({});
  expect(await followQuote(call, quote)).toMatchObject({ reason: 'not_counted' });
});

it('a noted payment that only one node shows does not come before one that two nodes show', async () => {
  world.hinted = reading({ isAlone: true });
  world.found = [none, shown, shown];
  expect(await followQuote(call, quote)).toEqual({ state: 'paid', signature: 'real' });
  world.found = [none, none, none];
  expect(await followQuote(call, quote)).toEqual({ state: 'waiting', signature: 'hint' });
  world.hinted = reading({});
  expect(await followQuote(call, quote)).toEqual({ state: 'paid', signature: 'hint' });
});
