import {
  createAssociatedTokenAccountInstruction,
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
} from '@solana/spl-token';
import {
  Keypair,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  VersionedMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import bs58 from 'bs58';
import { describe, expect, test } from 'vitest';
import { MEMO_PROGRAMS, PLANTED_MINTS } from '../addresses';
import { encodeMessage } from '../encode/encode-transaction';
import { withLoadedKeys } from '../message';
import { messageFromParsed } from './rebuild-message';
import { recordedResult } from './recorded-schema';

const payer = Keypair.generate();
const cosigner = Keypair.generate();
const mint = new PublicKey(PLANTED_MINTS[0]?.mint ?? '');
const someone = Keypair.generate().publicKey;

describe('the parts that jsonParsed loses are recovered by the signatures', () => {
  const memo = (...signers: Keypair[]) =>
    new TransactionInstruction({
      programId: new PublicKey(MEMO_PROGRAMS.v3),
      keys: signers.map((one) => ({ pubkey: one.publicKey, isSigner: true, isWritable: false })),
      data: Buffer.from('order 7'),
    });
  const ata = getAssociatedTokenAddressSync(mint, someone);
  const create = createAssociatedTokenAccountInstruction(payer.publicKey, ata, someone, mint);
  const pay = createTransferCheckedInstruction(ata, mint, ata, payer.publicKey, 5n, 6);

  test.each([
    ['a memo without signers', [memo(), pay]],
    ['a memo that the payer signed', [memo(payer), pay]],
    ['a memo that two signed', [memo(payer, cosigner)]],
    ['an account creation without its tag', [create, pay]],
    ['an account creation with its tag', [withData(create, 0), pay]],
    ['both at once', [withData(create, 0), pay, memo(payer)]],
    ['a program that the message calls writable', [writableProgram()]],
  ])('%s', (_name, instructions) => {
    for (const version of ['legacy', 0] as const) {
      const { printed, bytes, signatures } = print(instructions, version);
      const rebuilt = messageFromParsed(printed, signatures, version);
      expect(Buffer.from(rebuilt.serialize()).toString('hex')).toBe(bytes);
    }
  });

  test('an instruction of no known kind loses its data, the rest stays', () => {
    const { printed, signatures } = print([pay, memo()], 0);
    const [first, second] = printed.instructions;
    if (!first || !second) throw new Error('two instructions were printed');
    const unknown = { programId: first.programId, parsed: { type: 'brandNew', info: {} } };
    const rebuilt = messageFromParsed(
      { ...printed, instructions: [unknown, second] },
      signatures,
      0,
    );
    const [lost, kept] = rebuilt.compiledInstructions;
    expect(lost?.data).toHaveLength(0);
    expect(Buffer.from(kept?.data ?? []).toString()).toBe('order 7');
  });
});

/** A signed transaction as a node prints it in jsonParsed, with the signed bytes. */
function print(instructions: TransactionInstruction[], version: 'legacy' | 0) {
  const draft = new TransactionMessage({
    payerKey: payer.publicKey,
    recentBlockhash: someone.toBase58(),
    instructions,
  });
  const compiled = version === 0 ? draft.compileToV0Message() : draft.compileToLegacyMessage();
  const message = VersionedMessage.deserialize(compiled.serialize());
  const transaction = new VersionedTransaction(message);
  const needed = message.staticAccountKeys
    .slice(0, message.header.numRequiredSignatures)
    .map(String);
  transaction.sign([payer, cosigner].filter((one) => needed.includes(one.publicKey.toBase58())));
  const signatures = transaction.signatures.map((signature) => bs58.encode(signature));
  const resolved = withLoadedKeys(message, { writable: [], readonly: [] });
  const encoded = encodeMessage(
    { ...resolved, wire: transaction.serialize(), message, signatures, version },
    'jsonParsed',
  );
  const { transaction: parsed } = recordedResult.parse({
    slot: 1,
    version,
    transaction: encoded,
    meta: { err: null },
  });
  if (Array.isArray(parsed) || 'header' in parsed.message) throw new Error('not jsonParsed');
  return {
    printed: parsed.message,
    bytes: Buffer.from(message.serialize()).toString('hex'),
    signatures,
  };
}

function withData(ix: TransactionInstruction, ...data: number[]): TransactionInstruction {
  return new TransactionInstruction({ ...ix, data: Buffer.from(data) });
}

/** Nodes print a program's key as readonly, even where an instruction lists it as writable. */
function writableProgram(): TransactionInstruction {
  const keys = [SystemProgram.programId, someone].map((pubkey, i) => ({
    pubkey,
    isSigner: false,
    isWritable: i === 0,
  }));
  return new TransactionInstruction({ programId: cosigner.publicKey, keys, data: Buffer.alloc(1) });
}
