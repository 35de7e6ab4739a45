import bs58 from 'bs58';
import type { CompiledInstruction } from './decode-wire';
import {
  ASSOCIATED_TOKEN,
  GROWING_PROGRAMS,
  isMemoProgram,
  SIGNATURE_CHECKS,
  STAKE,
  SYSTEM,
  TOKEN,
  TOKEN_2022,
  VOTE,
} from './programs';
import type { RawInstruction } from './raw-transaction';

/** One instruction, whatever the encoding was. `data` is kept for the programs the reader knows. */
export type Instruction = {
  programId: string;
  accounts: string[];
  data: Uint8Array | null;
  parsed: string | { type: string; info?: unknown } | null;
  /**
   * Programs that may have called it: none at the top. One if the node recorded the depth of the
   * call, otherwise every program of the same top-level instruction that calls others.
   */
  callers: readonly string[];
};

export type WireInstructions = CompiledInstruction[];
/** An instruction whose caller is not known yet. */
type Read = Omit<Instruction, 'callers'>;
type Group = { index: number; instructions: RawInstruction[] };

/** Programs whose data this reader needs, in addition to the memo programs. */
const READ: ReadonlySet<string> = new Set([
  SYSTEM,
  TOKEN,
  TOKEN_2022,
  ASSOCIATED_TOKEN,
  ...GROWING_PROGRAMS,
  STAKE,
  VOTE,
  ...SIGNATURE_CHECKS,
]);
/** Programs that call no other program, except for the rent of an account. */
const LEAVES: ReadonlySet<string> = new Set([SYSTEM, TOKEN, TOKEN_2022, ASSOCIATED_TOKEN]);

/**
 * Each top-level instruction followed by those it called. Null when one names an account that the
 * transaction does not have.
 */
export function readInstructions(
  top: readonly (RawInstruction | CompiledInstruction)[],
  innerGroups: Group[] | null | undefined,
  keys: string[],
): Instruction[] | null {
  const inner = new Map<number, RawInstruction[]>();
  for (const group of innerGroups ?? [])
    inner.set(group.index, [...(inner.get(group.index) ?? []), ...group.instructions]);
  const all: Instruction[] = [];
  for (const [index, own] of top.entries()) {
    const group = readGroup(own, inner.get(index) ?? [], keys);
    if (!group) return null;
    all.push(...group);
  }
  return all;
}

/** The instructions of one top-level instruction, each with who may have called it. */
function readGroup(
  own: RawInstruction | CompiledInstruction,
  called: readonly RawInstruction[],
  keys: string[],
): Instruction[] | null {
  const group: Read[] = [];
  for (const raw of [own, ...called]) {
    const read = readInstruction(raw, keys);
    if (!read) return null;
    group.push(read);
  }
  const heights = called.map((raw) => raw.stackHeight ?? null);
  return heights.every((height) => height !== null && height > 1)
    ? nameCallers(group, [1, ...heights])
    : guessCallers(group);
}

/** By the depths that the node wrote down, from 1 at the top. */
function nameCallers(group: readonly Read[], heights: readonly (number | null)[]): Instruction[] {
  /** Programs from the top down to the last instruction. */
  const path: string[] = [];
  return group.map((one, place) => {
    path.length = Math.min(path.length, (heights[place] ?? 1) - 1);
    const caller = path.at(-1);
    path.push(one.programId);
    return { ...one, callers: caller === undefined ? [] : [caller] };
  });
}

/** Without depths, each program of the group that calls others may have been the caller. */
function guessCallers(group: readonly Read[]): Instruction[] {
  const calling = group
    .map(({ programId }) => programId)
    .filter((id) => !LEAVES.has(id) && !isMemoProgram(id));
  const callers = [...new Set(calling)];
  return group.map((one, place) => ({ ...one, callers: place === 0 ? [] : callers }));
}

function readInstruction(raw: RawInstruction | CompiledInstruction, keys: string[]): Read | null {
  if ('parsed' in raw && 'programId' in raw) {
    const { programId, parsed } = raw;
    if (typeof programId !== 'string') return null;
    const isParsed =
      typeof parsed === 'string' ||
      (typeof parsed === 'object' && parsed !== null && 'type' in parsed);
    return { programId, accounts: [], data: null, parsed: isParsed ? toParsed(parsed) : null };
  }
  if ('programId' in raw) {
    const { programId, accounts, data } = raw;
    if (typeof programId !== 'string' || !Array.isArray(accounts)) return null;
    return {
      programId,
      accounts: accounts.map(String),
      data: dataOf(programId, data),
      parsed: null,
    };
  }
  const programId = keys['programIndex' in raw ? Number(raw.programIndex) : raw.programIdIndex];
  if (programId === undefined) return null;
  const accounts: string[] = [];
  for (const index of raw.accounts) {
    const key = keys[index];
    if (key === undefined) return null;
    accounts.push(key);
  }
  return { programId, accounts, data: dataOf(programId, raw.data), parsed: null };
}

function toParsed(parsed: unknown): Instruction['parsed'] {
  if (typeof parsed === 'string') return parsed;
  if (typeof parsed !== 'object' || parsed === null || !('type' in parsed)) return null;
  return { type: String(parsed.type), info: 'info' in parsed ? parsed.info : undefined };
}

/** Base58 of long data costs quadratic time, so only known programs' data is decoded. */
function dataOf(programId: string, data: unknown): Uint8Array | null {
  if (!READ.has(programId) && !isMemoProgram(programId)) return null;
  if (data instanceof Uint8Array) return data;
  return typeof data === 'string' ? (bs58.decodeUnsafe(data) ?? null) : null;
}
