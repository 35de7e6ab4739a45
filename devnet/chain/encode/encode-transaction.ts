import type { VersionedMessage } from '@solana/web3.js';
import bs58 from 'bs58';
import type { InnerIx, TxRecord } from '../emulator';
import { RpcError } from '../rpc-error';
import { parseInstruction } from './parse-instruction';
import { isReservedKey } from './reserved-keys';

export type TransactionEncoding = 'json' | 'jsonParsed' | 'base64' | 'base58';

/** The input of an encoder: a transaction of our ledger or a recorded one. */
export type EncodableMessage = {
  wire: Uint8Array;
  message: VersionedMessage;
  signatures: string[];
  version: 'legacy' | 0;
  keys: string[];
  writable: boolean[];
  nStatic: number;
};

type Instruction = {
  programIdIndex: number;
  accounts: number[];
  data: Uint8Array;
  stackHeight: number | null;
};

/** A transaction of our ledger as `getTransaction` prints it, without `version`. */
export function encodeTransaction(record: TxRecord, encoding: TransactionEncoding) {
  const { returnData, loadedAddresses, innerInstructions, ...meta } = record.meta;
  return {
    blockTime: record.blockTime,
    meta: {
      ...meta,
      innerInstructions: innerInstructions.map((group) => ({
        index: group.index,
        instructions: group.instructions.map((ix) => encodeInner(ix, record.keys, encoding)),
      })),
      ...(encoding === 'jsonParsed' ? {} : { loadedAddresses }),
      ...(returnData ? { returnData } : {}),
      rewards: [],
      status: meta.err === null ? { Ok: null } : { Err: meta.err },
    },
    slot: record.slot,
    transaction: encodeMessage(record, encoding),
  };
}

/** -32015 unless the client said that it can read this version. */
export function requireVersion(
  version: 'legacy' | number,
  maxSupportedTransactionVersion: number | undefined,
): void {
  if (version === 'legacy' || (maxSupportedTransactionVersion ?? -1) >= version) return;
  throw new RpcError(
    -32015,
    `Transaction version (${version}) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
  );
}

/** The `transaction` field. */
export function encodeMessage(tx: EncodableMessage, encoding: TransactionEncoding): unknown {
  if (encoding === 'base64') return [Buffer.from(tx.wire).toString('base64'), 'base64'];
  if (encoding === 'base58') return [bs58.encode(tx.wire), 'base58'];
  const { message } = tx;
  const instructions = message.compiledInstructions.map((ix) =>
    encodeInstruction(
      {
        programIdIndex: ix.programIdIndex,
        accounts: [...ix.accountKeyIndexes],
        data: ix.data,
        stackHeight: 1,
      },
      tx.keys,
      encoding,
    ),
  );
  const lookups = message.addressTableLookups.map((lookup) => ({
    accountKey: lookup.accountKey.toBase58(),
    readonlyIndexes: [...lookup.readonlyIndexes],
    writableIndexes: [...lookup.writableIndexes],
  }));
  return {
    message: {
      ...(encoding === 'jsonParsed'
        ? { accountKeys: parsedKeys(tx) }
        : { accountKeys: tx.keys.slice(0, tx.nStatic), header: message.header }),
      ...(tx.version === 0 ? { addressTableLookups: lookups } : {}),
      instructions,
      recentBlockhash: message.recentBlockhash,
    },
    signatures: tx.signatures,
  };
}

/** An inner instruction. Nodes print it as JSON even in base64. */
export function encodeInner(ix: InnerIx, keys: string[], encoding: TransactionEncoding): object {
  return encodeInstruction(ix, keys, encoding);
}

function encodeInstruction(ix: Instruction, keys: string[], encoding: TransactionEncoding): object {
  const { stackHeight } = ix;
  const data = bs58.encode(ix.data);
  if (encoding !== 'jsonParsed')
    return { accounts: ix.accounts, data, programIdIndex: ix.programIdIndex, stackHeight };
  const programId = keys[ix.programIdIndex] ?? '';
  const accounts = ix.accounts.map((i) => keys[i] ?? '');
  const parsed = parseInstruction(programId, accounts, ix.data);
  return parsed
    ? { ...parsed, programId, stackHeight }
    : { accounts, data, programId, stackHeight };
}

/**
 * Nodes call a key readonly that the runtime never locks for writing, even if the message says
 * writable.
 */
function parsedKeys(tx: EncodableMessage) {
  const called = new Set(tx.message.compiledInstructions.map((ix) => ix.programIdIndex));
  return tx.keys.map((pubkey, i) => ({
    pubkey,
    signer: i < tx.message.header.numRequiredSignatures,
    source: i < tx.nStatic ? 'transaction' : 'lookupTable',
    writable: tx.writable[i] === true && !called.has(i) && !isReservedKey(pubkey),
  }));
}
