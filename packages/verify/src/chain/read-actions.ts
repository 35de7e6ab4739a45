import type { Action, Step } from './action';
import { u32, u64 } from './decode-wire';
import {
  ASSOCIATED_TOKEN,
  growthLamports,
  isMemoProgram,
  LARGEST_TOKEN_RENT_LAMPORTS,
  LOOKUP_TABLE,
  SYSTEM,
  TOKEN,
  TOKEN_2022,
  UPGRADEABLE_LOADER,
} from './programs';
import type { Instruction } from './read-instructions';
import { readStake, readSystem } from './read-native-instruction';
import { readParsedAction } from './read-parsed-action';
import { readToken } from './read-token-instruction';

/** Actions of all instructions, in the order the chain executed them. */
export function readActions(instructions: readonly Instruction[]): Action[] {
  return readSteps(instructions).map(({ action }) => action);
}

/** As {@link readActions}, with who called for each. */
export function readSteps(instructions: readonly Instruction[]): Step[] {
  return instructions.flatMap((instruction) =>
    actionsOf(instruction).map((action) => ({ action, callers: instruction.callers })),
  );
}

function actionsOf(instruction: Instruction): Action[] {
  const { programId, accounts, data } = instruction;
  const special = readGrowth(instruction) ?? readStake(instruction);
  if (special) return [special];
  if (instruction.parsed !== null) return readParsedAction(instruction);
  if (data === null) return [];
  if (programId === SYSTEM) return readSystem(accounts, data);
  if (programId === TOKEN || programId === TOKEN_2022) return readToken(programId, accounts, data);
  if (programId === ASSOCIATED_TOKEN) return readAssociated(accounts, data);
  return isMemoProgram(programId) ? readMemo(data) : [];
}

/** Associated token program: payer, account, wallet, mint; no data or 0 = Create, 1 = CreateIdempotent. */
function readAssociated(accounts: string[], data: Uint8Array): Action[] {
  const [, account, owner, mint] = accounts;
  if (account === undefined || owner === undefined || mint === undefined) return [];
  const tag = data[0] ?? 0;
  // CreateIdempotent fails unless the account's owner is this wallet, so either one proves the owner.
  return tag > 1 ? [] : [{ kind: 'owner-shown', account, owner, mint, opened: tag === 0 }];
}

/** A memo; bytes that are not UTF-8 text are not a memo. */
function readMemo(data: Uint8Array): Action[] {
  try {
    return [{ kind: 'memo', text: new TextDecoder('utf-8', { fatal: true }).decode(data) }];
  } catch {
    return [];
  }
}

const ADDRESS_BYTES = 32n;
/** Tags of `ExtendProgram` and `ExtendProgramChecked` (SIMD-0164), which has the same data. */
const EXTEND_PROGRAM: readonly (number | null)[] = [6, 9];

/**
 * The account that an instruction makes larger, and the rent which that costs at most: `ExtendLookupTable`,
 * `ExtendProgram`, `ExtendProgramChecked` and `Reallocate` of Token-2022. Null for every other instruction.
 */
export function readGrowth(instruction: Instruction): Action | null {
  const { programId, parsed } = instruction;
  if (parsed !== null) return typeof parsed === 'string' ? null : parsedGrowth(programId, parsed);
  const [account] = instruction.accounts;
  const { data } = instruction;
  if (account === undefined || data === null) return null;
  if (programId === LOOKUP_TABLE && u32(data, 0) === 2)
    return grown(account, growthLamports((u64(data, 4) ?? 0n) * ADDRESS_BYTES));
  if (programId === UPGRADEABLE_LOADER && EXTEND_PROGRAM.includes(u32(data, 0)))
    return grown(account, growthLamports(BigInt(u32(data, 4) ?? 0)));
  if (programId === TOKEN_2022 && data[0] === 29)
    return grown(account, LARGEST_TOKEN_RENT_LAMPORTS);
  return null;
}

/** The same by the names that nodes give (Agave, transaction-status/src/parse_*.rs). */
function parsedGrowth(programId: string, parsed: { type: string; info?: unknown }): Action | null {
  const { type, info } = parsed;
  if (typeof info !== 'object' || info === null) return null;
  const told = new Map<string, unknown>(Object.entries(info));
  const account = (name: string): string | null => {
    const value = told.get(name);
    return typeof value === 'string' ? value : null;
  };
  if (programId === LOOKUP_TABLE && type === 'extendLookupTable') {
    const added = told.get('newAddresses');
    const count = Array.isArray(added) ? BigInt(added.length) : 0n;
    return grown(account('lookupTableAccount'), growthLamports(count * ADDRESS_BYTES));
  }
  const isExtended = type === 'extendProgram' || type === 'extendProgramChecked';
  if (programId === UPGRADEABLE_LOADER && isExtended) {
    const bytes = told.get('additionalBytes');
    const added = typeof bytes === 'number' && Number.isInteger(bytes) && bytes > 0 ? bytes : 0;
    return grown(account('programDataAccount'), growthLamports(BigInt(added)));
  }
  if (programId === TOKEN_2022 && type === 'reallocate')
    return grown(account('account'), LARGEST_TOKEN_RENT_LAMPORTS);
  return null;
}

function grown(account: string | null, lamports: bigint): Action | null {
  return account === null ? null : { kind: 'account-grown', account, lamports };
}
