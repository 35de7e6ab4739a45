import { PublicKey, Transaction, TransactionInstruction, type Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import * as devnet from '@/devnet/chain/addresses';
import { startTestChain, type TestChain } from '@/devnet/chain/testing/test-chain';
import { readWireMessage } from '@/server/payments/read-payment-header';
import { normaliseTransaction } from '@quittance/verify/chain/normalise-transaction';
import { isMemoProgram, MEMO_PROGRAM_IDS, SYSTEM } from '@quittance/verify/chain/programs';
import { rawTransactionSchema } from '@quittance/verify/chain/raw-transaction';
import { readActions } from '@quittance/verify/chain/read-actions';

const TEXT = 'QT000000000000000001';
let chain: TestChain;
let wallet: Keypair;
beforeAll(async () => {
  chain = await startTestChain();
  wallet = await chain.wallet({ sol: 1 });
});
afterAll(() => chain.close());

/** The memos that the reader finds in a transaction in the form that a node printed. */
function memosIn(printed: unknown): string[] {
  const normal = normaliseTransaction(rawTransactionSchema.parse(printed));
  if (typeof normal === 'string') throw new Error(normal);
  return readActions(normal.instructions).flatMap((action) =>
    action.kind === 'memo' ? [action.text] : [],
  );
}

describe.each(Object.entries(devnet.MEMO_PROGRAMS))('a memo by the program %s', (_, program) => {
  let wire: Uint8Array;
  let signature: string;
  beforeAll(async () => {
    const transaction = new Transaction({
      feePayer: wallet.publicKey,
      ...chain.chain.latestBlockhash(),
    }).add(
      new TransactionInstruction({
        programId: new PublicKey(program),
        keys: [],
        data: Buffer.from(TEXT),
      }),
    );
    transaction.sign(wallet);
    wire = transaction.serialize();
    signature = z.string().parse((await chain.send(wire)).result);
    await chain.slots(2);
  });
  const printed = async (encoding: string) => {
    const config = { encoding, commitment: 'confirmed', maxSupportedTransactionVersion: 0 };
    return (await chain.call('getTransaction', [signature, config])).result;
  };

  it.each(['json', 'jsonParsed', 'base64'])('is read from %s', async (encoding) => {
    expect(memosIn(await printed(encoding))).toEqual([TEXT]);
  });

  it('is read from a node that does not know the program and prints its bytes', async () => {
    const parsed = await printed('jsonParsed');
    const shape = z.looseObject({
      transaction: z.looseObject({
        message: z.looseObject({ instructions: z.array(z.unknown()) }),
      }),
    });
    const raw = shape.parse(parsed);
    const data = bs58.encode(Buffer.from(TEXT));
    raw.transaction.message.instructions = [{ programId: program, accounts: [], data }];
    expect(memosIn(raw)).toEqual([TEXT]);
  });

  it('is read from a payment that a client signed', () => {
    expect(readWireMessage(wire)?.memos).toEqual([TEXT]);
  });
});

it('the service and the embedded chain know the same memo programs, and no other is one', () => {
  expect(MEMO_PROGRAM_IDS).toEqual(devnet.MEMO_PROGRAM_IDS);
  expect(isMemoProgram(SYSTEM)).toBe(false);
  // The id of v1 with one letter wrong.
  expect(isMemoProgram('Memo1UhkJRfHyvLMcVucJwxXeuD728EqVddwQDwFMNo')).toBe(false);
  expect(isMemoProgram(undefined)).toBe(false);
});
