import {
  Keypair,
  PublicKey,
  Transaction,
  TransactionInstruction,
  type Signer,
} from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  assertLamports,
  lighthouse,
  memoryClose,
  memoryOf,
  memoryWrite,
} from './testing/lighthouse-instructions';
import { LIGHTHOUSE, MEMO_PROGRAMS } from './addresses';
import { startTestChain, type TestChain } from './testing/test-chain';

let chain: TestChain;
let wallet: Keypair;
beforeAll(async () => {
  chain = await startTestChain();
  wallet = await chain.wallet({ sol: 10 });
});
afterAll(() => chain.close());

/** Rent of 10 KiB: 128 bytes of overhead and the data, 6,960 lamports each. */
const LARGEST_RENT = (128n + 10_240n) * 6_960n;
const FEE = 5_000n;

async function run(instructions: TransactionInstruction[], signers: Signer[] = [wallet]) {
  const transaction = new Transaction({
    feePayer: wallet.publicKey,
    ...chain.chain.latestBlockhash(),
  }).add(...instructions);
  transaction.sign(...signers);
  return chain.send(transaction.serialize());
}
const lamports = (address: PublicKey): bigint =>
  chain.chain.get(address.toBase58())?.lamports ?? 0n;

function memo(program: string, data: Buffer, keys: TransactionInstruction['keys'] = []) {
  return new TransactionInstruction({ programId: new PublicKey(program), keys, data });
}
const errorOf = z.object({ error: z.object({ data: z.object({ err: z.unknown() }) }) });
const landed = z.object({
  meta: z.object({ err: z.null(), logMessages: z.array(z.string()) }),
  transaction: z.object({ message: z.object({ instructions: z.array(z.unknown()) }) }),
});

describe.each(Object.entries(MEMO_PROGRAMS))('memo %s', (_, program) => {
  it('runs, and is printed as a memo in the transaction and in the history', async () => {
    const { result } = await run([memo(program, Buffer.from('order 7'))]);
    const config = { encoding: 'jsonParsed', commitment: 'confirmed' };
    await chain.slots(2);
    const answer = await chain.call('getTransaction', [result, config]);
    const { transaction } = landed.parse(answer.result);
    expect(transaction.message.instructions).toMatchObject([
      { program: 'spl-memo', programId: program, parsed: 'order 7' },
    ]);
    const history = await chain.call('getSignaturesForAddress', [
      wallet.publicKey.toBase58(),
      { limit: 1, commitment: 'confirmed' },
    ]);
    expect(history.result).toMatchObject([{ signature: result, memo: '[7] order 7' }]);
  });
});

describe('memo v4, which is emulated', () => {
  const program = MEMO_PROGRAMS.v4;

  it('logs its signers and the text', async () => {
    const signer = { pubkey: wallet.publicKey, isSigner: true, isWritable: false };
    const { result } = await run([memo(program, Buffer.from('order 8'), [signer])]);
    await chain.slots(2);
    const config = { encoding: 'json', commitment: 'confirmed' };
    const answer = await chain.call('getTransaction', [result, config]);
    expect(landed.parse(answer.result).meta.logMessages).toEqual([
      `Program ${program} invoke [1]`,
      'Program log: Signed by:',
      `Program log: ${wallet.publicKey.toBase58()}`,
      'Program log: Memo (len 7): "order 8"',
      `Program ${program} consumed 523 of 200000 compute units`,
      `Program ${program} success`,
    ]);
  });

  it('refuses an account that has not signed, and bytes that are not text', async () => {
    const stranger = {
      pubkey: Keypair.generate().publicKey,
      isSigner: false,
      isWritable: false,
    };
    const unsigned = await run([memo(program, Buffer.from('x'), [stranger])]);
    expect(errorOf.parse(unsigned).error.data.err).toEqual({
      InstructionError: [0, 'MissingRequiredSignature'],
    });
    const noText = await run([memo(program, Buffer.from([255, 255]))]);
    expect(errorOf.parse(noText).error.data.err).toEqual({
      InstructionError: [0, 'InvalidInstructionData'],
    });
  });
});

describe('Lighthouse', () => {
  it('opens a memory at its payer’s expense, and returns the rent when it is closed', async () => {
    const before = lamports(wallet.publicKey);
    const { address } = memoryOf(wallet.publicKey, 1);
    expect((await run([memoryWrite(wallet.publicKey, 1)])).error).toBeUndefined();
    expect(lamports(wallet.publicKey)).toBe(before - LARGEST_RENT - FEE);
    expect(chain.chain.get(address.toBase58())).toMatchObject({
      owner: LIGHTHOUSE,
      lamports: LARGEST_RENT,
    });
    expect(chain.chain.get(address.toBase58())?.data.at(-1)).toBe(7);
    expect((await run([memoryClose(wallet.publicKey, 1)])).error).toBeUndefined();
    expect(lamports(wallet.publicKey)).toBe(before - 2n * FEE);
    expect(chain.chain.get(address.toBase58())).toBeNull();
  });

  it('refuses a memory at the expense of an account that has not signed', async () => {
    const victim = await chain.wallet({ sol: 1 });
    const write = memoryWrite(victim.publicKey, 0);
    for (const account of write.keys) account.isSigner = false;
    expect((await run([write])).error).toBeDefined();
    expect(lamports(victim.publicKey)).toBe(1_000_000_000n);
  });

  it('fails a transaction whose assertion is false', async () => {
    expect((await run([assertLamports(wallet.publicKey, 1n)])).error).toBeUndefined();
    const answer = await run([assertLamports(wallet.publicKey, 10n ** 15n)]);
    expect(errorOf.parse(answer).error.data.err).toEqual({
      InstructionError: [0, { Custom: 6001 }],
    });
  });

  it('refuses an instruction that is not emulated', async () => {
    expect((await run([lighthouse([3, 0], [])])).error).toBeDefined();
  });
});
