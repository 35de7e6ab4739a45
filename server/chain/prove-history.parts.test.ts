import bs58 from 'bs58';
import { afterEach, expect, it } from 'vitest';
import { proveHistory } from './prove-history';
import { createRpc } from './rpc';
import {
  answerBy,
  fakeLedger,
  heightAt,
  type FakeLedger,
} from '../../tests/harness/chain/fake-ledger';
import { startFakeNode, type FakeNode } from '../../tests/harness/chain/fake-node';

const PAID = bs58.encode(Buffer.alloc(64, 7));
const ACCOUNT = bs58.encode(Buffer.alloc(32, 1));
const OTHER = bs58.encode(Buffer.alloc(32, 2));
const [FIRST, LAST] = [1000, 1150];
const open: FakeNode[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((node) => node.close()));
});

/**
 * The proof that a history listing `listed` gives about blocks in which transactions named
 * `account`.
 */
async function prove(o: {
  account: string;
  listed: string[];
  tip?: number;
  lacks?: number[];
  /** Changes the answer of the node about the block of slot 1100. */
  torn?: Record<string, unknown>;
}): Promise<string> {
  const ledger: FakeLedger = fakeLedger({
    tip: o.tip ?? LAST + 20,
    holds: new Map([[1077, [{ signature: PAID, accounts: [o.account] }]]]),
    lacks: new Set(o.lacks ?? []),
  });
  const answer = answerBy(ledger);
  const node = await startFakeNode((call) => {
    if (call.method === 'getSignaturesForAddress')
      return { result: o.listed.map((signature) => ({ signature, slot: 1077, err: null })) };
    const said = answer(call);
    const isTorn = call.method === 'getBlock' && call.params[0] === 1100 && o.torn !== undefined;
    if (!isTorn || !('result' in said)) return said;
    return { result: Object.assign({}, said.result, o.torn) };
  });
  open.push(node);
  const rpc = createRpc({ urls: [node.url], timeoutMs: 2_000 });
  const window = { from: BigInt(heightAt(ledger, FIRST)), to: BigInt(heightAt(ledger, LAST)) };
  const tip = await rpc.getFinalizedTip();
  const until = performance.now() + 20_000;
  return (await proveHistory({ rpc, node: 0, account: ACCOUNT, window, tip, until })).state;
}

it('a history that lists all that the blocks name the account in is whole', async () => {
  expect(await prove({ account: ACCOUNT, listed: [PAID] })).toBe('absent');
  expect(await prove({ account: OTHER, listed: [] })).toBe('absent');
});

it('a history that lacks one, or a node that lacks a block, proves nothing', async () => {
  expect(await prove({ account: ACCOUNT, listed: [] })).toBe('unproven');
  expect(await prove({ account: OTHER, listed: [], lacks: [1100] })).toBe('unproven');
  expect(await prove({ account: OTHER, listed: [], tip: LAST })).toBe('early');
});

it.each([
  { parentSlot: 1098 },
  { previousBlockhash: bs58.encode(Buffer.alloc(32, 9)) },
  { blockHeight: heightAt(fakeLedger({ tip: LAST + 20 }), 1100) + 1 },
])('a block that is not linked to the one before proves nothing: %o', async (torn) => {
  expect(await prove({ account: OTHER, listed: [] })).toBe('absent');
  expect(await prove({ account: OTHER, listed: [], torn })).toBe('unproven');
});
