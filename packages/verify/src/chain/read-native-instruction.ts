import { z } from 'zod';
import type { Action } from './action';
import { address, u32, u64 } from './decode-wire';
import { STAKE, STAKE_ACCOUNT_BYTES, VOTE, VOTE_ACCOUNT_BYTES } from './programs';
import type { Instruction } from './read-instructions';

/** System program: bincode, u32 tag (solana-system-interface, src/instruction.rs). */
export function readSystem(accounts: string[], data: Uint8Array): Action[] {
  const [first, second, third] = accounts;
  const tag = u32(data, 0);
  if (first === undefined || tag === null) return [];
  // Tags with a seed: base (32 bytes), then the seed as u64 length and text.
  const afterSeed = (): number => 4 + 32 + 8 + Number(u64(data, 36) ?? 0n);
  const sized = (bytes: bigint, ownerAt: number | null): Action[] => [
    {
      kind: 'account-sized',
      account: first,
      bytes,
      owner: ownerAt === null ? null : address(data, ownerAt),
    },
  ];
  switch (tag) {
    case 0: // CreateAccount
      return created(first, second, data, 4);
    case 1: // Assign
      return sized(0n, 4);
    case 2: // Transfer
      return moved(first, second, u64(data, 4), accounts.slice(2));
    case 3: // CreateAccountWithSeed
      return created(first, second, data, afterSeed());
    case 5: // WithdrawNonceAccount
      return withdrawn(first, second, u64(data, 4));
    case 8: // Allocate
      return sized(u64(data, 4) ?? 0n, null);
    case 9: // AllocateWithSeed
      return sized(u64(data, afterSeed()) ?? 0n, afterSeed() + 8);
    case 10: // AssignWithSeed
      return sized(0n, afterSeed());
    case 11: // TransferWithSeed
      return moved(first, third, u64(data, 4), []);
    case 13: // CreateAccountAllowPrefund: the new account first; no payer when it is funded already
      return created(second ?? first, first, data, 4);
    default:
      return [];
  }
}

/** Lamports, bytes and owner stand one after another from `at`. */
function created(from: string, to: string | undefined, data: Uint8Array, at: number): Action[] {
  const lamports = u64(data, at);
  const bytes = u64(data, at + 8);
  if (to === undefined || lamports === null || bytes === null) return [];
  return [{ kind: 'account-created', from, to, lamports, bytes, owner: address(data, at + 16) }];
}

function moved(
  from: string,
  to: string | undefined,
  lamports: bigint | null,
  extra: string[],
): Action[] {
  return to === undefined || lamports === null
    ? []
    : [{ kind: 'sol-transfer', from, to, lamports, extra }];
}

function withdrawn(from: string, to: string | undefined, lamports: bigint | null): Action[] {
  return to === undefined || lamports === null
    ? []
    : [{ kind: 'nonce-withdrawn', from, to, lamports }];
}

/** `Authorize`, `AuthorizeWithSeed`, `AuthorizeChecked`, `AuthorizeCheckedWithSeed` of the stake program. */
const AUTHORIZE: readonly (number | null)[] = [1, 8, 10, 11];

/**
 * The effect of an instruction on the SOL in a stake or vote account: it names the wallet that may
 * withdraw, withdraws, splits or merges. Null for every other instruction. The programs run a
 * withdrawal only with the signature of the withdrawer. They run a split or merge only between
 * accounts of one withdrawer. Source (bincode, u32 tag): solana-stake-interface and
 * solana-vote-interface, src/instruction.rs.
 */
export function readStake(instruction: Instruction): Action | null {
  const { programId, parsed, accounts, data } = instruction;
  if (programId !== STAKE && programId !== VOTE) return null;
  if (parsed !== null) return typeof parsed === 'string' ? null : readParsed(programId, parsed);
  const [first, second, third, fourth, fifth] = accounts;
  const tag = data && u32(data, 0);
  if (!data || first === undefined) return null;
  if (programId === VOTE)
    return tag === 3
      ? withdrawnStake(VOTE, { first, second, by: third, lamports: u64(data, 4) })
      : null;
  if (tag === 0) return owned(first, address(data, 4 + 32));
  if (tag === 9) return owned(first, fourth ?? null);
  if (tag === 3) return movedStake(first, second, u64(data, 4));
  if (tag === 7) return movedStake(second, first, null);
  if (tag === 4) return withdrawnStake(STAKE, { first, second, by: fifth, lamports: u64(data, 4) });
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
    return split && movedStake(split.stakeAccount, split.newSplitAccount, split.lamports);
  }
  if (type === 'merge') {
    const merged = read(parsedInfo.merge);
    return merged && movedStake(merged.source, merged.destination, null);
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
  return withdrawnStake(program, { first: account, second, by, lamports: sum });
}

function withdrawnStake(
  program: Program,
  o: { first: string; second: string | undefined; by: string | undefined; lamports: bigint | null },
): Action | null {
  const { first: account, second: to, by: authority, lamports: sum } = o;
  if (to === undefined || authority === undefined || sum === null) return null;
  const bytes = program === STAKE ? STAKE_ACCOUNT_BYTES : VOTE_ACCOUNT_BYTES;
  return { kind: 'stake-withdrawn', account, to, authority, lamports: sum, bytes };
}

function movedStake(
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
