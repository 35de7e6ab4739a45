import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Connection, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signaturesAreGood } from '../message';
import { startTestChain, type TestChain } from '../testing/test-chain';
import { loadRecorded } from './load-recorded';

const CORPUS = join(process.cwd(), 'tests', 'corpus', 'tx');

type Result = {
  slot: number;
  blockTime?: number | null;
  version?: unknown;
  transaction: unknown;
  meta: Record<string, unknown> & { err: unknown; innerInstructions?: unknown };
};
const read = (name: string) => JSON.parse(readFileSync(join(CORPUS, name), 'utf8')) as Result;

describe('recorded transactions of a real node', () => {
  const files = readdirSync(CORPUS).filter((name) => name.endsWith('.json'));
  const bySignature = loadRecorded(CORPUS);
  let node: TestChain;
  beforeAll(async () => {
    node = await startTestChain({ txDir: CORPUS });
  });
  afterAll(() => node.close());

  const get = async (signature: string, encoding: string) => {
    const options = { encoding, maxSupportedTransactionVersion: 0 };
    const { result } = await node.call('getTransaction', [signature, options]);
    return result as Result;
  };

  test('there are files in all three encodings', () => {
    expect(files.length).toBeGreaterThan(60);
    const encodings = files.map((name) => encodingOf(read(name)));
    expect(new Set(encodings)).toEqual(new Set(['json', 'jsonParsed', 'base64']));
  });

  test.each([...bySignature.keys()])('%s is complete in every encoding', async (signature) => {
    const base64 = await get(signature, 'base64');
    const json = await get(signature, 'json');
    const parsed = await get(signature, 'jsonParsed');
    const [wire] = base64.transaction as [string];
    const decoded = VersionedTransaction.deserialize(Buffer.from(wire, 'base64'));
    expect(bs58.encode(decoded.signatures[0] ?? [])).toBe(signature);
    // The bytes are the signed ones, even where they had to be rebuilt from a printed form.
    expect(signaturesAreGood(decoded.message, decoded.signatures)).toBe(true);

    const message = (json.transaction as { message: { instructions: unknown[] } }).message;
    expect(message.instructions).toHaveLength(decoded.message.compiledInstructions.length);
    const keys = (
      parsed.transaction as { message: { accountKeys: { pubkey: string; signer: boolean }[] } }
    ).message.accountKeys;
    const loaded = (json.meta.loadedAddresses ?? { writable: [], readonly: [] }) as {
      writable: string[];
      readonly: string[];
    };
    expect(keys.map((key) => key.pubkey)).toEqual([
      ...decoded.message.staticAccountKeys.map(String),
      ...loaded.writable,
      ...loaded.readonly,
    ]);
    expect(keys.filter((key) => key.signer)).toHaveLength(decoded.signatures.length);
    expect(parsed.meta.loadedAddresses).toBeUndefined();

    const [status] = (
      (await node.call('getSignatureStatuses', [[signature], { searchTransactionHistory: true }]))
        .result as { value: unknown[] }
    ).value;
    expect(status).toMatchObject({ confirmationStatus: 'finalized', slot: json.slot });
    const { result: lines } = await node.call('getSignaturesForAddress', [keys[0]?.pubkey]);
    expect((lines as { signature: string }[]).map((line) => line.signature)).toContain(signature);
  });

  test.each(files)('%s is served as recorded in its own encoding', async (name) => {
    const file = read(name);
    const encoding = encodingOf(file);
    const signature = signatureOf(file);
    const served = await get(signature, encoding);
    expect(served.slot).toBe(file.slot);
    expect(served.blockTime).toEqual(file.blockTime);
    expect(served.version).toBe(file.version ?? served.version);
    // A copy of the transaction in a better encoding is served instead, printed again. Its
    // instructions may be richer.
    const isCopy = bySignature.get(signature)?.encoding !== encoding;
    if (!isCopy) expect(served).toEqual({ version: served.version, ...file });
  });

  test('copies recorded as json and jsonParsed are printed like each other', async () => {
    const signature = signatureOf(read('serum-deposit-no-owner-json.json'));
    const copy = read('serum-deposit-no-owner-jsonparsed.json');
    const printed = await get(signature, 'jsonParsed');
    const plain = (result: Result) => {
      const { message } = result.transaction as { message: { instructions: object[] } };
      return JSON.parse(
        JSON.stringify(message.instructions, (key, value) =>
          key === 'stackHeight' ? undefined : value,
        ),
      );
    };
    expect(plain(printed)).toEqual(plain(copy));
  });

  test('web3.js reads them, and v0 only for clients that can', async () => {
    const connection = new Connection(node.url, 'finalized');
    const signature = [...bySignature.values()].find((tx) => tx.message.version === 0)?.line
      .signature;
    const read0 = await connection.getParsedTransaction(signature ?? '', {
      maxSupportedTransactionVersion: 0,
    });
    expect(read0?.transaction.signatures[0]).toBe(signature);
    const refused = await node.call('getTransaction', [signature]);
    expect(refused.error?.code).toBe(-32015);
  });
});

test('a file that is not a recorded transaction stops the start and is named', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'recorded-'));
  writeFileSync(join(folder, 'bad.json'), '{"slot": 1}');
  await expect(startTestChain({ txDir: folder })).rejects.toThrow(/bad\.json cannot be served/);
  rmSync(folder, { recursive: true });
});

function encodingOf({ transaction }: Result): string {
  if (Array.isArray(transaction)) return 'base64';
  const { message } = transaction as { message: { accountKeys: unknown[] } };
  return typeof message.accountKeys[0] === 'string' ? 'json' : 'jsonParsed';
}

function signatureOf({ transaction }: Result): string {
  if (!Array.isArray(transaction))
    return (transaction as { signatures: string[] }).signatures[0] ?? '';
  const decoded = VersionedTransaction.deserialize(Buffer.from(String(transaction[0]), 'base64'));
  return bs58.encode(decoded.signatures[0] ?? []);
}
