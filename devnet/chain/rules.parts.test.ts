import { createPrivateKey, sign } from 'node:crypto';
import { AddressLookupTableProgram, Keypair, PublicKey, Transaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestChain, type TestChain } from './testing/test-chain';

const FINALITY_SLOTS = 8;
let node: TestChain;
beforeAll(async () => {
  node = await startTestChain({ stopped: true, finalityLag: FINALITY_SLOTS });
});
afterAll(() => node.close());

const someone = () => Keypair.generate().publicKey;

describe('finality', () => {
  test('a transaction is processed, confirmed after a slot, final after the lag, for all methods alike', async () => {
    const from = await node.wallet();
    const to = someone();
    const key = to.toBase58();
    const sent = await node.send(node.transfer({ from, to, lamports: 2_000_000 }));
    const signature = sent.result as string;
    const levels = ['processed', 'confirmed', 'finalized'];
    const balances = async () =>
      Promise.all(
        levels.map(async (commitment) => {
          const { result } = await node.call('getBalance', [key, { commitment }]);
          return (result as { value: number }).value;
        }),
      );
    const statusOf = async () => (await node.status(signature))?.confirmationStatus;
    const readable = async (commitment: string) =>
      (await node.call('getTransaction', [signature, { commitment }])).result !== null;
    const listed = async (commitment: string) => {
      const { result } = await node.call('getSignaturesForAddress', [key, { commitment }]);
      return (result as { signature: string }[]).map((line) => line.signature);
    };
    expect(await statusOf()).toBe('processed');
    expect(await balances()).toEqual([2_000_000, 0, 0]);
    expect(await readable('confirmed')).toBe(false);

    await node.slots(1);
    expect(await statusOf()).toBe('confirmed');
    expect(await balances()).toEqual([2_000_000, 2_000_000, 0]);
    expect(await readable('confirmed')).toBe(true);
    expect(await listed('confirmed')).toEqual([signature]);
    expect(await listed('finalized')).toEqual([]);

    await node.slots(FINALITY_SLOTS - 2);
    expect(await statusOf()).toBe('confirmed');
    expect(await readable('finalized')).toBe(false);
    await node.slots(1);
    expect(await statusOf()).toBe('finalized');
    expect(await balances()).toEqual([2_000_000, 2_000_000, 2_000_000]);
    expect(await readable('finalized')).toBe(true);
    expect(await listed('finalized')).toEqual([signature]);
    const processed = await node.call('getTransaction', [signature, { commitment: 'processed' }]);
    expect(processed.error?.code).toBe(-32602);
  });

  test('slot, height and blockhash follow the commitment', async () => {
    const slotOf = async (commitment?: string) =>
      (await node.call('getSlot', commitment ? [{ commitment }] : [])).result as number;
    const heightOf = async (commitment: string) =>
      (await node.call('getBlockHeight', [{ commitment }])).result as number;
    const slot = await slotOf('processed');
    expect(slot).toBe(node.chain.slot());
    expect(await slotOf('confirmed')).toBe(slot - 1);
    expect(await slotOf('finalized')).toBe(slot - FINALITY_SLOTS);
    expect(await slotOf()).toBe(slot - FINALITY_SLOTS);
    expect(await heightOf('processed')).toBe(slot - 1000);
    expect(await heightOf('finalized')).toBe(slot - FINALITY_SLOTS - 1000);
    const { result } = await node.call('getLatestBlockhash', [{ commitment: 'finalized' }]);
    const { value, context } = result as {
      value: { lastValidBlockHeight: number };
      context: { slot: number };
    };
    expect(context.slot).toBe(slot - FINALITY_SLOTS);
    expect(value.lastValidBlockHeight).toBe(context.slot - 1000 + 150);
  });

  test('preflight at finalized does not know a blockhash of the tip', async () => {
    const from = await node.wallet();
    const wire = node.transfer({ from, to: someone(), lamports: 1_000_000 });
    const refused = await node.send(wire, { preflightCommitment: 'finalized' });
    expect(refused.error).toMatchObject({ code: -32002, data: { err: 'BlockhashNotFound' } });
    expect((await node.send(wire)).error).toBeUndefined();
  });
});

describe('blockhashes', () => {
  test('a transaction lands up to 150 blocks after its blockhash and never later', async () => {
    const from = await node.wallet();
    const old = node.chain.slot() - 150;
    const at = (slot: number) =>
      node.transfer({
        from,
        to: someone(),
        lamports: 1_000_000,
        blockhash: node.chain.clock.blockhash(slot),
      });
    expect((await node.send(at(old))).error).toBeUndefined();
    const late = await node.send(at(old - 1));
    expect(late.error).toMatchObject({
      code: -32002,
      message: 'Transaction simulation failed: Blockhash not found',
      data: { err: 'BlockhashNotFound', logs: [] },
    });
    const silent = await node.send(at(old - 2), { skipPreflight: true });
    expect(await node.status(silent.result as string)).toBeNull();
  });
  test('skipped time makes blockhashes expire', async () => {
    const from = await node.wallet();
    const { blockhash } = node.chain.latestBlockhash();
    const valid = async () =>
      (
        (await node.call('isBlockhashValid', [blockhash, { commitment: 'processed' }])).result as {
          value: boolean;
        }
      ).value;
    expect(await valid()).toBe(true);
    await node.post('/_faults', { advanceSlots: 151 });
    expect(await valid()).toBe(false);
    const late = await node.send(node.transfer({ from, to: someone(), lamports: 1, blockhash }));
    expect(late.error?.code).toBe(-32002);
  });
});

describe('sending', () => {
  test('a failing transaction is refused with logs, or lands as failed and costs its fee', async () => {
    const from = await node.wallet();
    const to = someone();
    const wire = node.transfer({ from, to, lamports: 99_000_000_000 });
    const refused = await node.send(wire);
    expect(refused.error).toMatchObject({
      code: -32002,
      message:
        'Transaction simulation failed: Error processing Instruction 0: custom program error: 0x1',
      data: { err: { InstructionError: [0, { Custom: 1 }] }, unitsConsumed: 150 },
    });
    expect((refused.error?.data as { logs: string[] }).logs[0]).toContain('invoke [1]');
    expect(node.chain.get(from.publicKey.toBase58())?.lamports).toBe(10_000_000_000n);

    const landed = await node.send(wire, { skipPreflight: true });
    expect((await node.status(landed.result as string))?.err).toEqual({
      InstructionError: [0, { Custom: 1 }],
    });
    expect(node.chain.get(from.publicKey.toBase58())?.lamports).toBe(9_999_995_000n);
    const again = await node.send(wire);
    expect(again.error).toMatchObject({
      code: -32002,
      message: 'Transaction simulation failed: This transaction has already been processed',
      data: { err: 'AlreadyProcessed' },
    });
  });
  test('the same bytes sent many times at once land once', async () => {
    const from = await node.wallet();
    const to = someone();
    const wire = node.transfer({ from, to, lamports: 1_000_000 });
    await Promise.all(Array.from({ length: 10 }, () => node.send(wire, { skipPreflight: true })));
    expect(node.chain.get(to.toBase58())?.lamports).toBe(1_000_000n);
  });
  test('a wrong signature is refused with -32003, or dropped without preflight', async () => {
    const from = await node.wallet();
    const wire = node.transfer({ from, to: someone(), lamports: 1_000_000 });
    wire[10] = (wire[10] ?? 0) ^ 1;
    expect((await node.send(wire)).error?.code).toBe(-32003);
    const silent = await node.send(wire, { skipPreflight: true });
    expect(await node.status(silent.result as string)).toBeNull();
  });
  test('a payer without funds never lands', async () => {
    const wire = node.transfer({ from: Keypair.generate(), to: someone(), lamports: 1 });
    expect((await node.send(wire)).error).toMatchObject({
      code: -32002,
      data: { err: 'AccountNotFound' },
    });
    const silent = await node.send(wire, { skipPreflight: true });
    expect(await node.status(silent.result as string)).toBeNull();
  });
  test('a simulation returns the resulting accounts and changes nothing', async () => {
    const from = await node.wallet();
    const to = someone();
    const transaction = Transaction.from(node.transfer({ from, to, lamports: 3_000_000 }));
    const unsigned = transaction.serialize({
      requireAllSignatures: false,
      verifySignatures: false,
    });
    unsigned.fill(0, 1, 65);
    const { result } = await node.call('simulateTransaction', [
      unsigned.toString('base64'),
      {
        encoding: 'base64',
        commitment: 'processed',
        replaceRecentBlockhash: true,
        accounts: { addresses: [to.toBase58()], encoding: 'base64' },
      },
    ]);
    expect(result).toMatchObject({ value: { err: null, accounts: [{ lamports: 3_000_000 }] } });
    expect(node.chain.get(to.toBase58())).toBeNull();
  });
  test('bytes that are not a transaction, or too many, are -32602', async () => {
    expect((await node.send(Buffer.from('nonsense'))).error?.code).toBe(-32602);
    expect((await node.send(Buffer.alloc(1233))).error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('too large: 1233 bytes'),
    });
    expect((await node.call('sendTransaction', [5])).error?.code).toBe(-32602);
  });
  test('a lookup table that does not exist is named in the refusal', async () => {
    const from = await node.wallet();
    const [, table] = AddressLookupTableProgram.createLookupTable({
      authority: from.publicKey,
      payer: from.publicKey,
      recentSlot: 1,
    });
    const wire = v0WithTable(from, table);
    expect((await node.send(wire)).error).toMatchObject({
      code: -32002,
      data: { err: 'AddressLookupTableNotFound' },
    });
  });
});

describe('history by address', () => {
  test('pages newest first between before and until', async () => {
    const from = await node.wallet();
    const to = someone();
    const signatures: string[] = [];
    for (let i = 0; i < 7; i++) {
      const sent = await node.send(node.transfer({ from, to, lamports: 1_000_000 + i }));
      signatures.unshift(sent.result as string);
    }
    await node.slots(2);
    const page = async (o: object) => {
      const { result } = await node.call('getSignaturesForAddress', [
        to.toBase58(),
        { commitment: 'confirmed', ...o },
      ]);
      return (result as { signature: string }[]).map((line) => line.signature);
    };
    expect(await page({})).toEqual(signatures);
    expect(await page({ limit: 3 })).toEqual(signatures.slice(0, 3));
    expect(await page({ limit: 3, before: signatures[2] })).toEqual(signatures.slice(3, 6));
    expect(await page({ before: signatures[2], until: signatures[5] })).toEqual(
      signatures.slice(3, 5),
    );
    expect(await page({ before: signatures[6] })).toEqual([]);
    expect(await page({ before: bs58.encode(Buffer.alloc(64, 9)) })).toEqual([]);
    // A transaction of other accounts also has a position in the order of all.
    const between = await node.send(node.transfer({ from, to: someone(), lamports: 1_000_000 }));
    const last = await node.send(node.transfer({ from, to, lamports: 1_000_008 }));
    await node.slots(2);
    expect(await page({ limit: 1 })).toEqual([last.result]);
    expect(await page({ before: between.result })).toEqual(signatures);
    const refused = await node.call('getSignaturesForAddress', [to.toBase58(), { limit: 1001 }]);
    expect(refused.error).toMatchObject({ code: -32602, message: 'Invalid limit; max 1000' });
  });
});

test('a block lists the transactions of its slot', async () => {
  const from = await node.wallet();
  const sent = await node.send(node.transfer({ from, to: someone(), lamports: 1_000_000 }));
  const { slot } = (await node.status(sent.result as string)) ?? { slot: 0 };
  await node.slots(2);
  const { result } = await node.call('getBlock', [
    slot,
    { commitment: 'confirmed', transactionDetails: 'signatures' },
  ]);
  expect(result).toMatchObject({ parentSlot: slot - 1, signatures: [sent.result] });
  expect((await node.call('getBlock', [slot + 1000])).error?.code).toBe(-32004);
});

test('a transaction and a history have the position in the block', async () => {
  const from = await node.wallet();
  const to = someone();
  const sent: string[] = [];
  for (let n = 0; n < 30; n += 1)
    sent.push(
      String((await node.send(node.transfer({ from, to, lamports: 1_000_000 + n }))).result),
    );
  await node.slots(2);
  type Placed = { signature: string; slot: number; transactionIndex: number };
  const { result } = await node.call('getSignaturesForAddress', [
    to.toBase58(),
    { commitment: 'confirmed' },
  ]);
  const lines = (result as Placed[]).toReversed();
  expect(lines.map(({ signature }) => signature)).toEqual(sent);
  expect(new Set(lines.map(({ slot }) => slot)).size).toBeLessThan(lines.length);
  for (const { signature, slot, transactionIndex } of lines) {
    const block = await node.call('getBlock', [
      slot,
      { commitment: 'confirmed', transactionDetails: 'signatures' },
    ]);
    const { signatures } = block.result as { signatures: string[] };
    expect(signatures[transactionIndex]).toBe(signature);
    const one = await node.call('getTransaction', [signature, { commitment: 'confirmed' }]);
    expect((one.result as Placed).transactionIndex).toBe(transactionIndex);
  }
  await node.post('/_faults', { hidePositions: true });
  const older = await node.call('getSignaturesForAddress', [
    to.toBase58(),
    { commitment: 'confirmed', limit: 1 },
  ]);
  expect((older.result as object[])[0]).not.toHaveProperty('transactionIndex');
  await fetch(`${node.url}/_faults`, { method: 'DELETE' });
});

test('a slot that this node has not reached is refused with -32016', async () => {
  const minContextSlot = node.chain.slot() + 50;
  const { error } = await node.call('getBalance', [someone().toBase58(), { minContextSlot }]);
  expect(error).toMatchObject({ code: -32016, data: { contextSlot: expect.any(Number) } });
});

test('accounts of a program are found by size and bytes', async () => {
  const wallet = await node.wallet({ token: 'EURC', amount: '1' });
  const owner = wallet.publicKey.toBase58();
  const { result } = await node.call('getProgramAccounts', [
    'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
    {
      commitment: 'confirmed',
      encoding: 'base64',
      dataSlice: { offset: 64, length: 8 },
      filters: [{ dataSize: 165 }, { memcmp: { offset: 32, bytes: owner } }],
    },
  ]);
  const found = result as { account: { data: [string, string] } }[];
  expect(found.map((one) => Buffer.from(one.account.data[0], 'base64').readBigUInt64LE())).toEqual([
    1_000_000n,
  ]);
});

function v0WithTable(from: Keypair, table: PublicKey): Uint8Array {
  const message = Buffer.concat([
    Buffer.from([0x80, 1, 0, 1, 2]),
    from.publicKey.toBuffer(),
    PublicKey.default.toBuffer(),
    Buffer.from(bs58.decode(node.chain.latestBlockhash().blockhash)),
    Buffer.from([0, 1]),
    table.toBuffer(),
    Buffer.from([1, 0, 0]),
  ]);
  return signMessage(from, message);
}

function signMessage(from: Keypair, message: Buffer): Uint8Array {
  const key = createPrivateKey({
    key: Buffer.concat([
      Buffer.from('302e020100300506032b657004220420', 'hex'),
      from.secretKey.subarray(0, 32),
    ]),
    format: 'der',
    type: 'pkcs8',
  });
  return Buffer.concat([Buffer.from([1]), sign(null, message, key), message]);
}
