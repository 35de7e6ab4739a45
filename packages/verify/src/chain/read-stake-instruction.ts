import { z } from 'zod';
import type { Action } from './action';
import { address, u32, u64 } from './data-layout';
import { STAKE, STAKE_ACCOUNT_BYTES, VOTE, VOTE_ACCOUNT_BYTES } from './programs';
import type { Instruction } from './read-instructions';

/** `Authorize`, `AuthorizeWithSeed`, `AuthorizeChecked`, `AuthorizeCheckedWithSeed` of the stake program. */
const AUTHORIZE: readonly (number | null)[] = [1, 8, 10, 11];

/**
 * What an instruction does to the SOL in a stake or vote account: it names the wallet that may withdraw,
 * withdraws, splits or merges. Null for every other instruction. The programs run a withdrawal only with
 * the signature of the withdrawer, and a split or merge only between accounts of one withdrawer
 * (bincode, u32 tag: solana-stake-interface and solana-vote-interface, src/instruction.rs).
 */
export function readStake(instruction: Instruction): Action | null {
  const { programId, parsed, accounts, data } = instruction;
  if (programId !== STAKE && programId !== VOTE) return null;
  if (parsed !== null) return typeof parsed === 'string' ? null : readParsed(programId, parsed);
  const [first, second, third, fourth, fifth] = accounts;
  const tag = data && u32(data, 0);
  if (!data || first === undefined) return null;
  if (programId === VOTE)
    return tag === 3 ? withdrawn(VOTE, { first, second, by: third, lamports: u64(data, 4) }) : null;
  if (tag === 0) return owned(first, address(data, 4 + 32));
  if (tag === 9) return owned(first, fourth ?? null);
  if (tag === 3) return moved(first, second, u64(data, 4));
  if (tag === 7) return moved(second, first, null);
  if (tag === 4) return withdrawn(STAKE, { first, second, by: fifth, lamports: u64(data, 4) });
  return AUTHORIZE.includes(tag) ? { kind: 'stake-handed-over', account: first } : null;
}

const key = z.string().min(1);
const lamports = z.number().int().nonnegative().transform(BigInt);
const parsedWithdrawal = z.looseObject({ destination: key, withdrawAuthority: key, lamports });
const stake = z.looseObject({ stakeAccount: key });
const parsedInfo = {
  initialize: stake.extend({ authorized: z.looseObject({ withdrawer: key }) }),
  initializeChecked: stake.extend({ withdrawer: key }),
  split: stake.extend({ newSplitAccount: key, lamports }),
  merge: z.looseObject({ source: key, destination: key }),
  withdraw: parsedWithdrawal.extend({ stakeAccount: key }),
  voteWithdraw: parsedWithdrawal.extend({ voteAccount: key }),
} as const;

/** The same by the names that nodes give (Agave, transaction-status/src/parse_stake.rs, parse_vote.rs). */
function readParsed(programId: string, parsed: { type: string; info?: unknown }): Action | null {
  const { type, info } = parsed;
  const read = <T>(schema: z.ZodType<T>): T | null => schema.safeParse(info).data ?? null;
  if (programId === VOTE) {
    const vote = type === 'withdraw' ? read(parsedInfo.voteWithdraw) : null;
    return vote && withdrawal(VOTE, vote.voteAccount, vote);
  }
  if (type === 'initialize') {
    const made = read(parsedInfo.initialize);
    return made && owned(made.stakeAccount, made.authorized.withdrawer);
  }
  if (type === 'initializeChecked') {
    const made = read(parsedInfo.initializeChecked);
    return made && owned(made.stakeAccount, made.withdrawer);
  }
  if (type === 'split') {
    const split = read(parsedInfo.split);
    return split && moved(split.stakeAccount, split.newSplitAccount, split.lamports);
  }
  if (type === 'merge') {
    const merged = read(parsedInfo.merge);
    return merged && moved(merged.source, merged.destination, null);
  }
  if (type === 'withdraw') {
    const one = read(parsedInfo.withdraw);
    return one && withdrawal(STAKE, one.stakeAccount, one);
  }
  const changed = type.startsWith('authorize') ? read(stake) : null;
  return changed && { kind: 'stake-handed-over', account: changed.stakeAccount };
}

type Program = typeof STAKE | typeof VOTE;

function withdrawal(
  program: Program,
  account: string,
  o: z.output<typeof parsedWithdrawal>,
): Action | null {
  const { destination: second, withdrawAuthority: by, lamports: sum } = o;
  return withdrawn(program, { first: account, second, by, lamports: sum });
}

function withdrawn(
  program: Program,
  o: { first: string; second: string | undefined; by: string | undefined; lamports: bigint | null },
): Action | null {
  const { first: account, second: to, by: authority, lamports: sum } = o;
  if (to === undefined || authority === undefined || sum === null) return null;
  const bytes = program === STAKE ? STAKE_ACCOUNT_BYTES : VOTE_ACCOUNT_BYTES;
  return { kind: 'stake-withdrawn', account, to, authority, lamports: sum, bytes };
}

function moved(
  from: string | undefined,
  to: string | undefined,
  sum: bigint | null,
): Action | null {
  if (from === undefined || to === undefined) return null;
  return { kind: 'stake-moved', from, to, lamports: sum };
}

function owned(account: string, withdrawer: string | null): Action | null {
  return withdrawer === null ? null : { kind: 'stake-owned', account, withdrawer };
}
