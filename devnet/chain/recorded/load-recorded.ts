import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { z } from 'zod';
import type { EncodableMessage } from '../encode/encode-transaction';
import type { InnerIx } from '../emulator';
import { memoOf, type HistoryLine } from '../history';
import { withLoadedKeys } from '../message';
import { candidates, messageFromJson, messageFromParsed } from './rebuild-message';
import { recordedResult, type PrintedInstruction, type RecordedResult } from './recorded-schema';

type Printed = { [field: string]: unknown; meta: { [field: string]: unknown } };

/**
 * A transaction that another node recorded, with the data needed to print it in other encodings.
 */
export type RecordedTransaction = {
  /** The file, unchanged. */
  printed: Printed;
  encoding: 'json' | 'jsonParsed' | 'base64';
  message: EncodableMessage;
  inner: { index: number; instructions: InnerIx[] }[] | null;
  loaded: { writable: string[]; readonly: string[] };
  line: HistoryLine;
};

const keepsEverything = z.looseObject({ meta: z.looseObject({}) });
/** For a transaction in several encodings, the encoding that lost least is used. */
const BEST_FIRST = ['base64', 'json', 'jsonParsed'];

/**
 * Reads every `*.json` of a folder. Throws at a file that is not a recorded transaction, and names
 * it.
 */
export function loadRecorded(folder: string): Map<string, RecordedTransaction> {
  const found = new Map<string, RecordedTransaction>();
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.json'))) {
    try {
      const text = readFileSync(join(folder, name), 'utf8');
      const recorded = readRecorded(JSON.parse(text));
      const known = found.get(recorded.line.signature);
      const isBetter =
        !known || BEST_FIRST.indexOf(recorded.encoding) < BEST_FIRST.indexOf(known.encoding);
      if (isBetter) found.set(recorded.line.signature, recorded);
    } catch (error) {
      throw new Error(`${join(folder, name)} cannot be served`, { cause: error });
    }
  }
  return found;
}

/** Takes a result of `getTransaction`. Throws when it is not one. */
function readRecorded(file: unknown): RecordedTransaction {
  const printed = keepsEverything.parse(file);
  const result = recordedResult.parse(file);
  const { meta } = result;
  const { encoding, decoded } = decode(result);
  const loaded = loadedOf(result);
  const resolved = withLoadedKeys(decoded.message, loaded);
  const { message } = decoded;
  const signatures = decoded.signatures.map((signature) => bs58.encode(signature));
  const signers = resolved.keys.slice(0, message.header.numRequiredSignatures);
  const inner = (meta.innerInstructions ?? null)?.map((group) => ({
    index: group.index,
    instructions: group.instructions.map((ix) => compileInner(ix, resolved.keys, signers)),
  }));
  return {
    printed,
    encoding,
    message: {
      wire: decoded.serialize(),
      message,
      signatures,
      version: message.version === 'legacy' ? 'legacy' : 0,
      keys: resolved.keys,
      writable: resolved.writable,
      nStatic: resolved.nStatic,
    },
    inner: inner ?? null,
    loaded,
    line: {
      signature: signatures[0] ?? '',
      slot: result.slot,
      blockTime: result.blockTime ?? null,
      keys: resolved.keys,
      err: meta.err,
      memo: memoOf(resolved.keys, message.compiledInstructions),
    },
  };
}

function decode({ transaction, version }: RecordedResult): {
  encoding: RecordedTransaction['encoding'];
  decoded: VersionedTransaction;
} {
  if (Array.isArray(transaction)) {
    const decoded = VersionedTransaction.deserialize(Buffer.from(transaction[0], 'base64'));
    return { encoding: 'base64', decoded };
  }
  const { signatures } = transaction;
  const bytes = signatures.map((signature) => bs58.decode(signature));
  if ('header' in transaction.message)
    return {
      encoding: 'json',
      decoded: new VersionedTransaction(messageFromJson(transaction.message, version), bytes),
    };
  const message = messageFromParsed(transaction.message, signatures, version);
  return { encoding: 'jsonParsed', decoded: new VersionedTransaction(message, bytes) };
}

/** Keys from lookup tables: `jsonParsed` prints them among the others. */
function loadedOf({ transaction, meta }: RecordedResult): RecordedTransaction['loaded'] {
  if (Array.isArray(transaction) || 'header' in transaction.message)
    return meta.loadedAddresses ?? { writable: [], readonly: [] };
  const keys = transaction.message.accountKeys.filter((key) => key.source === 'lookupTable');
  const pick = (writable: boolean) =>
    keys.filter((key) => key.writable === writable).map((key) => key.pubkey);
  return { writable: pick(true), readonly: pick(false) };
}

/** A memo inside a program has lost its accounts, so they are left out. */
function compileInner(ix: PrintedInstruction, keys: string[], signers: string[]): InnerIx {
  const stackHeight = ix.stackHeight ?? 2;
  if ('programIdIndex' in ix)
    return {
      programIdIndex: ix.programIdIndex,
      accounts: ix.accounts,
      data: bs58.decode(ix.data),
      stackHeight,
    };
  const [plain] = candidates(ix, signers);
  return {
    programIdIndex: keys.indexOf(ix.programId),
    accounts: (plain?.accounts ?? []).map((account) => keys.indexOf(account)),
    data: plain?.data ?? new Uint8Array(),
    stackHeight,
  };
}
