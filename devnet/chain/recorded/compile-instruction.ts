import bs58 from 'bs58';
import { z } from 'zod';
import { ATA, VOTE } from '../addresses';
import { AUTHORITY_TYPES, IMMUTABLE_OWNER } from '../encode/parse-token-instruction';

/** An instruction before its accounts became indexes. */
export type PlainInstruction = { programId: string; accounts: string[]; data: Uint8Array };

const text = z.string();
const tokenAmount = z.object({ amount: z.string(), decimals: z.number() });
const parsedInstruction = z.object({
  type: z.string(),
  info: z.record(z.string(), z.unknown()),
});
const vote = z.object({
  hash: z.string(),
  slots: z.array(z.number()),
  timestamp: z.number().nullish(),
});

type Info = Record<string, unknown>;

/**
 * Turns an instruction that a node printed as `parsed` back into accounts and data. The printed
 * form is incomplete. A memo loses its accounts (its signers). The creation of an associated
 * account may or may not have its tag byte. Then there are several candidates, likeliest first, and
 * the signatures of the transaction show which is right. Empty when the instruction is of no known
 * kind.
 */
export function compileInstruction(
  programId: string,
  parsed: unknown,
  signers: string[],
): PlainInstruction[] {
  if (typeof parsed === 'string') {
    const data = new Uint8Array(Buffer.from(parsed, 'utf8'));
    const [payer] = signers;
    const lists = [[], payer ? [payer] : [], signers];
    return lists.map((accounts) => ({ programId, accounts, data }));
  }
  const known = parsedInstruction.safeParse(parsed);
  if (!known.success) return [];
  const { type, info } = known.data;
  if (programId === ATA) return compileAta(type, info);
  if (programId === VOTE) return type === 'vote' ? [compileVote(info)] : [];
  const compiled = compileSystem(type, info) ?? compileToken(type, info);
  return compiled ? [{ programId, ...compiled }] : [];
}

type Compiled = { accounts: string[]; data: Uint8Array };

function compileAta(type: string, info: Info): PlainInstruction[] {
  const names = ['source', 'account', 'wallet', 'mint', 'systemProgram', 'tokenProgram'];
  const accounts = pick(info, ...names);
  if (info.rentSysvar) accounts.push(text.parse(info.rentSysvar));
  const tags = type === 'create' ? [[], [0]] : type === 'createIdempotent' ? [[1]] : [];
  return tags.map((tag) => ({ programId: ATA, accounts, data: Uint8Array.from(tag) }));
}

function compileVote(info: Info): PlainInstruction {
  const { hash, slots, timestamp } = vote.parse(info.vote);
  const time =
    typeof timestamp === 'number' ? [Buffer.from([1]), u64(timestamp)] : [Buffer.from([0])];
  return {
    programId: VOTE,
    accounts: pick(info, 'voteAccount', 'slotHashesSysvar', 'clockSysvar', 'voteAuthority'),
    data: join(u32(2), u64(slots.length), ...slots.map(u64), key(hash), ...time),
  };
}

function compileSystem(type: string, info: Info): Compiled | null {
  const lamports = () => u64(info.lamports);
  // The token programs have a transfer too. Theirs has an amount instead of lamports.
  if (type === 'transfer' && info.lamports !== undefined)
    return { accounts: pick(info, 'source', 'destination'), data: join(u32(2), lamports()) };
  switch (type) {
    case 'createAccount':
      return {
        accounts: pick(info, 'source', 'newAccount'),
        data: join(u32(0), lamports(), u64(info.space), key(info.owner)),
      };
    case 'assign':
      return { accounts: pick(info, 'account'), data: join(u32(1), key(info.owner)) };
    case 'allocate':
      return { accounts: pick(info, 'account'), data: join(u32(8), u64(info.space)) };
    case 'advanceNonce':
      return {
        accounts: pick(info, 'nonceAccount', 'recentBlockhashesSysvar', 'nonceAuthority'),
        data: u32(4),
      };
    default:
      return null;
  }
}

function compileToken(type: string, info: Info): Compiled | null {
  const checked = () => {
    const { amount, decimals } = tokenAmount.parse(info.tokenAmount);
    return [u64(amount), Buffer.from([decimals])];
  };
  const of = (tag: number, accounts: string[], ...parts: Uint8Array[]): Compiled => ({
    accounts,
    data: join(Buffer.from([tag]), ...parts),
  });
  switch (type) {
    case 'transfer':
      return of(
        3,
        [...pick(info, 'source', 'destination'), ...signersOf(info, 'authority')],
        u64(info.amount),
      );
    case 'approve':
      return of(
        4,
        [...pick(info, 'source', 'delegate'), ...signersOf(info, 'owner')],
        u64(info.amount),
      );
    case 'revoke':
      return of(5, [...pick(info, 'source'), ...signersOf(info, 'owner')]);
    case 'setAuthority': {
      const to = info.newAuthority;
      return of(
        6,
        [text.parse(info.account ?? info.mint), ...signersOf(info, 'authority')],
        Buffer.from([AUTHORITY_TYPES.indexOf(text.parse(info.authorityType)), to ? 1 : 0]),
        to ? key(to) : Buffer.alloc(0),
      );
    }
    case 'mintTo':
      return of(
        7,
        [...pick(info, 'mint', 'account'), ...signersOf(info, 'mintAuthority')],
        u64(info.amount),
      );
    case 'burn':
      return of(
        8,
        [...pick(info, 'account', 'mint'), ...signersOf(info, 'authority')],
        u64(info.amount),
      );
    case 'closeAccount':
      return of(9, [...pick(info, 'account', 'destination'), ...signersOf(info, 'owner')]);
    case 'transferChecked':
      return of(
        12,
        [...pick(info, 'source', 'mint', 'destination'), ...signersOf(info, 'authority')],
        ...checked(),
      );
    case 'mintToChecked':
      return of(
        14,
        [...pick(info, 'mint', 'account'), ...signersOf(info, 'mintAuthority')],
        ...checked(),
      );
    case 'burnChecked':
      return of(
        15,
        [...pick(info, 'account', 'mint'), ...signersOf(info, 'authority')],
        ...checked(),
      );
    case 'initializeAccount':
      return of(1, pick(info, 'account', 'mint', 'owner', 'rentSysvar'));
    case 'initializeAccount3':
      return of(18, pick(info, 'account', 'mint'), key(info.owner));
    case 'syncNative':
      return of(17, pick(info, 'account'));
    case 'getAccountDataSize':
      return of(21, pick(info, 'mint'), Buffer.from([IMMUTABLE_OWNER, 0]));
    case 'initializeImmutableOwner':
      return of(22, pick(info, 'account'));
    default:
      return null;
  }
}

function signersOf(info: Info, name: string): string[] {
  const multisig = info[`multisig${name.charAt(0).toUpperCase()}${name.slice(1)}`];
  if (multisig === undefined) return pick(info, name);
  return [text.parse(multisig), ...z.array(text).parse(info.signers)];
}

function pick(info: Info, ...names: string[]): string[] {
  return names.map((name) => text.parse(info[name]));
}

function key(value: unknown): Uint8Array {
  return bs58.decode(text.parse(value));
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function u64(value: unknown): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(z.union([text, z.number()]).parse(value)));
  return bytes;
}

function join(...parts: Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}
