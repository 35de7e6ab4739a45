import { Message, MessageV0, PublicKey, type VersionedMessage } from '@solana/web3.js';
import bs58 from 'bs58';
import { isReservedKey } from '../encode/reserved-keys';
import { signaturesAreGood } from '../message';
import { compileInstruction, type PlainInstruction } from './compile-instruction';
import type {
  JsonMessage,
  ParsedMessage,
  PrintedKey,
  PrintedParsed,
  RecordedResult,
} from './recorded-schema';

/** The most variants that are tried. Beyond that, the likeliest is used unchecked. */
const MAX_VARIANTS = 512;

type Header = JsonMessage['header'];

type Version = RecordedResult['version'];

/** The message that a node printed as `json`. Nothing is lost in this form. */
export function messageFromJson(printed: JsonMessage, version: Version): VersionedMessage {
  const lookups = printed.addressTableLookups ?? [];
  // Some nodes print an empty list for legacy messages too.
  const isLegacy = version === 'legacy' || (version === undefined && lookups.length === 0);
  if (isLegacy)
    return new Message({
      header: printed.header,
      accountKeys: printed.accountKeys,
      recentBlockhash: printed.recentBlockhash,
      instructions: printed.instructions.map(({ programIdIndex, accounts, data }) => ({
        programIdIndex,
        accounts,
        data,
      })),
    });
  return new MessageV0({
    header: printed.header,
    staticAccountKeys: printed.accountKeys.map((key) => new PublicKey(key)),
    recentBlockhash: printed.recentBlockhash,
    compiledInstructions: printed.instructions.map((ix) => ({
      programIdIndex: ix.programIdIndex,
      accountKeyIndexes: ix.accounts,
      data: bs58.decode(ix.data),
    })),
    addressTableLookups: lookups.map((lookup) => ({
      accountKey: new PublicKey(lookup.accountKey),
      readonlyIndexes: lookup.readonlyIndexes,
      writableIndexes: lookup.writableIndexes,
    })),
  });
}

/**
 * The message that a node printed as `jsonParsed`. This form has no header and loses parts of some
 * instructions, so variants are tried until the signatures match. When none matches (an instruction
 * is not printed completely), the likeliest is returned. Its keys and accounts are right where they
 * were printed, but its bytes are not the signed ones.
 */
export function messageFromParsed(
  printed: ParsedMessage,
  signatures: string[],
  version: Version,
): VersionedMessage {
  const keys = printed.accountKeys.map((key) => key.pubkey);
  const isStatic = (key: PrintedKey) => key.source !== 'lookupTable';
  const staticKeys = printed.accountKeys.filter(isStatic);
  const signers = staticKeys.filter((key) => key.signer).map((key) => key.pubkey);
  const called = new Set(printed.instructions.map((ix) => ix.programId));
  const choices = printed.instructions.map((ix) => candidates(ix, signers));

  const build = (header: Header, instructions: PlainInstruction[]) =>
    messageFromJson(
      {
        accountKeys: staticKeys.map((key) => key.pubkey),
        header,
        recentBlockhash: printed.recentBlockhash,
        addressTableLookups: printed.addressTableLookups,
        instructions: instructions.map((ix) => ({
          programIdIndex: keys.indexOf(ix.programId),
          accounts: ix.accounts.map((account) => keys.indexOf(account)),
          data: bs58.encode(ix.data),
        })),
      },
      version,
    );
  const headers = possibleHeaders(staticKeys, called);
  const wanted = signatures.map((signature) => bs58.decode(signature));
  let first: VersionedMessage | null = null;
  let tried = 0;
  for (const instructions of combinations(choices))
    for (const header of headers) {
      if (++tried > MAX_VARIANTS) break;
      const message = build(header, instructions);
      first ??= message;
      if (signaturesAreGood(message, wanted)) return message;
    }
  if (!first) throw new Error('a transaction without instructions cannot be rebuilt');
  return first;
}

/** Possible forms of one printed instruction, likeliest first. */
export function candidates(ix: PrintedParsed, signers: string[]): PlainInstruction[] {
  const { programId, accounts, data } = ix;
  if (accounts && data !== undefined) return [{ programId, accounts, data: bs58.decode(data) }];
  const compiled = compileInstruction(programId, ix.parsed, signers);
  // Of no known kind: the data is lost.
  return compiled.length ? compiled : [{ programId, accounts: [], data: new Uint8Array() }];
}

/**
 * Programs and sysvars are printed as readonly even if the message calls them writable. So the
 * border between writable and readonly keys may be further back than it appears.
 */
function possibleHeaders(keys: PrintedKey[], called: Set<string>): Header[] {
  const signers = keys.filter((key) => key.signer);
  const others = keys.filter((key) => !key.signer);
  const base = {
    numRequiredSignatures: signers.length,
    numReadonlySignedAccounts: signers.filter((key) => !key.writable).length,
  };
  const headers: Header[] = [];
  for (let border = others.findLastIndex((key) => key.writable) + 1; ; border++) {
    headers.push({ ...base, numReadonlyUnsignedAccounts: others.length - border });
    const next = others[border];
    if (!next || !(called.has(next.pubkey) || isReservedKey(next.pubkey))) return headers;
  }
}

function* combinations<T>(choices: T[][]): Generator<T[]> {
  const [head, ...rest] = choices;
  if (!head) {
    yield [];
    return;
  }
  for (const tail of combinations(rest)) for (const one of head) yield [one, ...tail];
}
