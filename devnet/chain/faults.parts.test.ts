import {
  createAssociatedTokenAccountIdempotentInstruction,
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
  TOKEN_2022_PROGRAM_ID,
} from '@solana/spl-token';
import { Keypair, PublicKey, Transaction } from '@solana/web3.js';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startTestChain, type TestChain } from './testing/test-chain';

const FINALITY_SLOTS = 8;
let node: TestChain;
beforeAll(async () => {
  node = await startTestChain({ stopped: true, finalityLag: FINALITY_SLOTS });
});
afterAll(() => node.close());
afterEach(async () => {
  await fetch(`${node.url}/_faults`, { method: 'DELETE' });
});

const someone = () => Keypair.generate().publicKey;
const lamports = (key: PublicKey) => node.chain.get(key.toBase58())?.lamports ?? 0n;
const statusOf = async (signature: string) =>
  (await node.status(signature))?.confirmationStatus ?? null;
const listed = async (key: PublicKey) => {
  const { result } = await node.call('getSignaturesForAddress', [
    key.toBase58(),
    { commitment: 'confirmed' },
  ]);
  return (result as { signature: string }[]).map((line) => line.signature);
};

describe('vanishing', () => {
  test('a chosen transaction is confirmed, then disappears with all its effects, and can be sent again', async () => {
    const from = await node.wallet();
    const to = someone();
    await node.post('/_faults', { vanish: { next: true } });
    const wire = node.transfer({ from, to, lamports: 4_000_000 });
    const signature = (await node.send(wire)).result as string;
    await node.slots(FINALITY_SLOTS - 2);
    expect(await statusOf(signature)).toBe('confirmed');
    expect(lamports(to)).toBe(4_000_000n);
    expect(await listed(to)).toEqual([signature]);

    await node.slots(1);
    expect(await statusOf(signature)).toBeNull();
    const read = await node.call('getTransaction', [signature, { commitment: 'confirmed' }]);
    expect(read.result).toBeNull();
    expect(await listed(to)).toEqual([]);
    expect(lamports(to)).toBe(0n);
    expect(lamports(from.publicKey)).toBe(10_000_000_000n);

    expect((await node.send(wire)).result).toBe(signature);
    await node.slots(FINALITY_SLOTS + 5);
    expect(await statusOf(signature)).toBe('finalized');
    expect(lamports(to)).toBe(4_000_000n);
  });

  test('later transactions run again without it, or disappear too when their payer cannot pay', async () => {
    const from = await node.wallet();
    const [middle, end, other] = [Keypair.generate(), someone(), someone()];
    const first = await node.send(
      node.transfer({ from, to: middle.publicKey, lamports: 5_000_000 }),
    );
    const dependent = await node.send(
      node.transfer({ from: middle, to: end, lamports: 2_000_000 }),
    );
    const independent = await node.send(node.transfer({ from, to: other, lamports: 3_000_000 }));
    const signature = first.result as string;
    await node.post('/_faults', { vanish: { signature, afterSlots: 2 } });
    await node.slots(2);

    expect(await statusOf(signature)).toBeNull();
    expect(await statusOf(dependent.result as string)).toBeNull();
    expect(await statusOf(independent.result as string)).toBe('confirmed');
    expect([lamports(middle.publicKey), lamports(end), lamports(other)]).toEqual([
      0n,
      0n,
      3_000_000n,
    ]);
    expect(lamports(from.publicKey)).toBe(10_000_000_000n - 3_000_000n - 5_000n);
    const { result } = await node.call('getTransaction', [
      independent.result,
      { commitment: 'confirmed' },
    ]);
    expect(result).toMatchObject({ meta: { preBalances: [10_000_000_000, 0, 1] } });
  });

  test('the next transaction that names an address is chosen, and others stay', async () => {
    const from = await node.wallet();
    const [bystander, target] = [someone(), someone()];
    await node.post('/_faults', { vanish: { touching: target.toBase58(), afterSlots: 1 } });
    const kept = await node.send(node.transfer({ from, to: bystander, lamports: 1_000_000 }));
    const lost = await node.send(node.transfer({ from, to: target, lamports: 1_000_000 }));
    await node.slots(1);
    expect(await statusOf(kept.result as string)).toBe('confirmed');
    expect(await statusOf(lost.result as string)).toBeNull();
  });

  test('nothing becomes final during a hold of finality, so that a transaction can still vanish', async () => {
    const from = await node.wallet();
    await node.post('/_faults', { holdFinality: true });
    const sent = await node.send(node.transfer({ from, to: someone(), lamports: 1_000_000 }));
    const kept = await node.send(node.transfer({ from, to: someone(), lamports: 2_000_000 }));
    const signature = sent.result as string;
    await node.slots(FINALITY_SLOTS + 5);
    expect(await statusOf(signature)).toBe('confirmed');
    await node.post('/_faults', { vanish: { signature, afterSlots: 1 } });
    expect(await statusOf(signature)).toBeNull();
    await node.post('/_faults', { holdFinality: false });
    expect(await statusOf(kept.result as string)).toBe('finalized');
  });

  test('a final transaction cannot be chosen', async () => {
    const from = await node.wallet();
    const sent = await node.send(node.transfer({ from, to: someone(), lamports: 1_000_000 }));
    await node.slots(FINALITY_SLOTS);
    const answer = await node.post('/_faults', { vanish: { signature: sent.result } });
    expect(answer).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('final') },
    });
    const late = await node.post('/_faults', {
      vanish: { next: true, afterSlots: FINALITY_SLOTS },
    });
    expect(late.status).toBe(400);
  });
});

test('a dropped send answers with its signature and never lands', async () => {
  const from = await node.wallet();
  const to = someone();
  await node.post('/_faults', { dropNextSends: 1 });
  const wire = node.transfer({ from, to, lamports: 1_000_000 });
  const dropped = await node.send(wire);
  await node.slots(3);
  expect(await statusOf(dropped.result as string)).toBeNull();
  expect(lamports(to)).toBe(0n);
  expect((await node.send(wire)).result).toBe(dropped.result);
  expect(lamports(to)).toBe(1_000_000n);
});

describe('faulty answers', () => {
  const raw = async (method: string) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method });
    const response = await fetch(node.url, { method: 'POST', body });
    return { status: response.status, text: await response.text() };
  };

  test('a method fails as often as requested, then works', async () => {
    await node.post('/_faults', {
      failMethods: { getSlot: { status: 429, body: 'slow down', times: 2 } },
    });
    expect(await raw('getSlot')).toEqual({ status: 429, text: 'slow down' });
    expect((await raw('getBlockHeight')).status).toBe(200);
    expect((await raw('getSlot')).status).toBe(429);
    expect((await raw('getSlot')).status).toBe(200);
  });
  test('garbage comes with status 200, as text or in a wrong shape', async () => {
    await node.post('/_faults', { garbage: { method: 'getSlot', times: 1 } });
    const first = await raw('getSlot');
    expect(first.status).toBe(200);
    expect(() => JSON.parse(first.text)).toThrow();
    await node.post('/_faults', { garbage: { method: '*', kind: 'shape', times: 1 } });
    expect(JSON.parse((await raw('getSlot')).text)).toMatchObject({
      result: { what: ['no', 'sense'] },
    });
    expect(JSON.parse((await raw('getSlot')).text)).toMatchObject({ result: expect.any(Number) });
  });
  test('every request fails at error rate 1', async () => {
    await node.post('/_faults', { errorRate: 1 });
    expect((await raw('getSlot')).status).toBe(503);
    await node.post('/_faults', { errorRate: 0 });
    expect((await raw('getSlot')).status).toBe(200);
  });
  test('a method answers late', async () => {
    await node.post('/_faults', { delayMs: { getSlot: 300 } });
    const started = performance.now();
    await raw('getSlot');
    expect(performance.now() - started).toBeGreaterThan(290);
  });
  test('an unknown fault is refused', async () => {
    expect((await node.post('/_faults', { dropAll: true })).status).toBe(400);
  });
  test('calls are counted by method until cleared', async () => {
    await raw('getSlot');
    await raw('getSlot');
    await raw('getHealth');
    const shown = async () => (await fetch(`${node.url}/_faults`)).json();
    expect(await shown()).toMatchObject({ calls: { getSlot: 2, getHealth: 1 } });
    await fetch(`${node.url}/_faults`, { method: 'DELETE' });
    expect(await shown()).toMatchObject({ calls: {} });
  });
});

describe('a node that lags', () => {
  const LAG_SLOTS = 20;
  test('does not know transactions, balances and blockhashes of the slots it misses', async () => {
    const second = (await node.post('/_nodes', { lagSlots: LAG_SLOTS })).body as { url: string };
    const from = await node.wallet();
    await node.slots(LAG_SLOTS);
    const to = someone();
    const sent = await node.send(node.transfer({ from, to, lamports: 6_000_000 }));
    const signature = sent.result as string;
    await node.slots(5);

    const processed = { commitment: 'processed' };
    const balance = async (at: string) =>
      ((await node.call('getBalance', [to.toBase58(), processed], at)).result as { value: number })
        .value;
    const slot = async (at: string) =>
      (await node.call('getSlot', [processed], at)).result as number;
    expect((await slot(node.url)) - (await slot(second.url))).toBe(LAG_SLOTS);
    expect(await node.status(signature, second.url)).toBeNull();
    expect([await balance(node.url), await balance(second.url)]).toEqual([6_000_000, 0]);
    const hidden = await node.call(
      'getTransaction',
      [signature, { commitment: 'confirmed' }],
      second.url,
    );
    expect(hidden.result).toBeNull();
    const young = node.transfer({ from, to, lamports: 1_000_000 });
    const refused = await node.call(
      'sendTransaction',
      [young.toString('base64'), { encoding: 'base64', preflightCommitment: 'processed' }],
      second.url,
    );
    expect(refused.error).toMatchObject({ data: { err: 'BlockhashNotFound' } });

    await node.slots(LAG_SLOTS - 5);
    expect((await node.status(signature, second.url))?.confirmationStatus).toBe('processed');
    expect(await balance(second.url)).toBe(6_000_000);
  });

  test('a node can be made to report slots and heights that are too high', async () => {
    const { slot, height } = await tipOf();
    await node.post('/_faults', { tellsAhead: 5_000_000 });
    const lie = await tipOf();
    expect(lie.slot).toBeGreaterThanOrEqual(slot + 5_000_000);
    expect(lie.height).toBeGreaterThanOrEqual(height + 5_000_000);
    await fetch(`${node.url}/_faults`, { method: 'DELETE' });
    expect((await tipOf()).slot).toBeLessThan(slot + 5_000_000);

    async function tipOf(): Promise<{ slot: number; height: number }> {
      const info = z
        .object({ absoluteSlot: z.number(), blockHeight: z.number() })
        .parse((await node.call('getEpochInfo', [{ commitment: 'finalized' }])).result);
      return { slot: info.absoluteSlot, height: info.blockHeight };
    }
  });

  test('the first node can be made to lag and to say that it is behind', async () => {
    await node.post('/_faults', { hideTransactions: 200 });
    expect((await node.call('getHealth')).error).toMatchObject({
      code: -32005,
      message: 'Node is behind by 200 slots',
      data: { numSlotsBehind: 200 },
    });
    await fetch(`${node.url}/_faults`, { method: 'DELETE' });
    expect((await node.call('getHealth')).result).toBe('ok');
  });
});

describe('a node without its history', () => {
  const final = { commitment: 'finalized', rewards: false };
  async function landed() {
    const from = await node.wallet();
    const to = someone();
    const sent = await node.send(node.transfer({ from, to, lamports: 6_000_000 }));
    const signature = sent.result as string;
    await node.slots(FINALITY_SLOTS + 2);
    const slot = (await node.status(signature))?.slot ?? 0;
    return { to, signature, slot };
  }
  const blockOf = async (slot: number, transactionDetails: string) =>
    node.call('getBlock', [slot, { ...final, transactionDetails }]);

  test('answers null about sent transactions, with current slots, balances and blocks', async () => {
    const { to, signature, slot } = await landed();
    const before = (await node.call('getSlot')).result;
    await node.post('/_faults', { blindMs: 60_000 });
    expect(await statusOf(signature)).toBeNull();
    expect((await node.call('getTransaction', [signature])).result).toBeNull();
    expect(await listed(to)).toEqual([]);
    expect((await node.call('getSlot')).result).toBe(before);
    expect((await node.call('getBalance', [to.toBase58()])).result).toMatchObject({
      value: 6_000_000,
    });
    expect((await blockOf(slot, 'signatures')).result).toMatchObject({ signatures: [signature] });
    const whole = await node.call('getTransaction', [signature], `${node.url}/?whole`);
    expect(whole.result).toMatchObject({ slot });
    await node.post('/_faults', { blindMs: 0 });
    expect(await statusOf(signature)).toBe('finalized');
  });

  test('calls blocks skipped that hold transactions, and their children still name them', async () => {
    const { signature, slot } = await landed();
    const { result } = await blockOf(slot, 'accounts');
    expect(result).toMatchObject({
      transactions: [{ transaction: { signatures: [signature] }, meta: { err: null } }],
    });
    await node.post('/_faults', { loseBlocksMs: 60_000 });
    expect((await blockOf(slot, 'signatures')).error).toMatchObject({ code: -32009 });
    expect((await blockOf(slot + 1, 'signatures')).result).toMatchObject({
      parentSlot: slot,
      signatures: [],
      previousBlockhash: node.chain.clock.blockhash(slot),
    });
  });

  test('shortens getBlocks silently, and names its first block as before', async () => {
    const { slot } = await landed();
    const blocks = async () => (await node.call('getBlocks', [slot - 1, slot + 1])).result;
    expect(await blocks()).toEqual([slot - 1, slot, slot + 1]);
    await node.post('/_faults', { shortenBlocks: true });
    expect(await blocks()).toEqual([slot - 1, slot + 1]);
    expect((await node.call('getFirstAvailableBlock')).result).toBe(0);
    expect((await node.call('minimumLedgerSlot')).result).toBe(0);
  });
});

test('a token withholds the transfer fee that is set, and none before', async () => {
  const mint = new PublicKey('2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo');
  const from = await node.wallet({ sol: 1, token: 'PYUSD', amount: '100' });
  const to = someone();
  const account = (owner: PublicKey) =>
    getAssociatedTokenAddressSync(mint, owner, true, TOKEN_2022_PROGRAM_ID);
  const pay = async (amount: bigint) => {
    const me = from.publicKey;
    const transaction = new Transaction({ feePayer: me, ...node.chain.latestBlockhash() }).add(
      createAssociatedTokenAccountIdempotentInstruction(
        me,
        account(to),
        to,
        mint,
        TOKEN_2022_PROGRAM_ID,
      ),
      createTransferCheckedInstruction(
        account(me),
        mint,
        account(to),
        me,
        amount,
        6,
        [],
        TOKEN_2022_PROGRAM_ID,
      ),
    );
    transaction.sign(from);
    const sent = await node.send(transaction.serialize());
    expect(sent.error).toBeUndefined();
    await node.slots(2);
    const { result } = await node.call('getTokenAccountBalance', [
      account(to).toBase58(),
      { commitment: 'confirmed' },
    ]);
    return (result as { value: { amount: string } }).value.amount;
  };
  expect(await pay(1_000_000n)).toBe('1000000');
  await node.post('/_faults', { transferFee: { mint: mint.toBase58(), basisPoints: 400 } });
  expect(await pay(1_000_001n)).toBe(String(1_000_000 + 960_000));
  await node.post('/_faults', { transferFee: { mint: mint.toBase58(), basisPoints: 0 } });
});

test('the chain uses the time that is set', async () => {
  const unix = 1_900_000_000;
  await node.post('/_faults', { setTime: unix });
  const from = await node.wallet();
  const sent = await node.send(node.transfer({ from, to: someone(), lamports: 1_000_000 }));
  await node.slots(1);
  const { result } = await node.call('getTransaction', [sent.result, { commitment: 'confirmed' }]);
  expect((result as { blockTime: number }).blockTime - unix).toBeLessThan(600);
  expect((result as { blockTime: number }).blockTime).toBeGreaterThanOrEqual(unix);
});
