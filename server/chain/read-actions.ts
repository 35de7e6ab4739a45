import bs58 from 'bs58';
import type { Action } from './action';
import { readParsedAction } from './read-parsed-action';
import { ASSOCIATED_TOKEN, isMemoProgram, SYSTEM, TOKEN, TOKEN_2022 } from './programs';
import type { Instruction } from './normalise-transaction';

/** Actions of all instructions, in the order the chain executed them. */
export function readActions(instructions: readonly Instruction[]): Action[] {
  return instructions.flatMap((instruction) => {
    if (instruction.parsed !== null) return readParsedAction(instruction);
    const { programId, accounts, data } = instruction;
    if (data === null) return [];
    if (programId === SYSTEM) return readSystem(accounts, data);
    if (programId === TOKEN || programId === TOKEN_2022)
      return readToken(programId, accounts, data);
    if (programId === ASSOCIATED_TOKEN) return readAssociated(accounts, data);
    if (isMemoProgram(programId)) return readMemo(data);
    return [];
  });
}

/** System program: bincode, u32 tag (solana-system-interface, src/instruction.rs). */
function readSystem(accounts: string[], data: Uint8Array): Action[] {
  const [first, second, third] = accounts;
  const tag = u32(data, 0);
  if (first === undefined || tag === null) return [];
  const created = (from: string, lamportsAt: number): Action[] => {
    const lamports = u64(data, lamportsAt);
    const bytes = u64(data, lamportsAt + 8);
    if (second === undefined || lamports === null || bytes === null) return [];
    return [{ kind: 'account-created', from, to: second, lamports, bytes }];
  };
  const moved = (to: string | undefined, lamports: bigint | null, extra: string[]): Action[] =>
    to === undefined || lamports === null
      ? []
      : [{ kind: 'sol-transfer', from: first, to, lamports, extra }];
  // Tags with a seed: base (32 bytes), then the seed as u64 length and text.
  const afterSeed = (): number => 4 + 32 + 8 + Number(u64(data, 36) ?? 0n);
  switch (tag) {
    case 0: // CreateAccount
      return created(first, 4);
    case 1: // Assign
      return [{ kind: 'account-sized', account: first, bytes: 0n }];
    case 2: // Transfer
      return moved(second, u64(data, 4), accounts.slice(2));
    case 3: // CreateAccountWithSeed
      return created(first, afterSeed());
    case 5: // WithdrawNonceAccount
      return moved(second, u64(data, 4), []);
    case 8: // Allocate
      return [{ kind: 'account-sized', account: first, bytes: u64(data, 4) ?? 0n }];
    case 9: // AllocateWithSeed
      return [{ kind: 'account-sized', account: first, bytes: u64(data, afterSeed()) ?? 0n }];
    case 10: // AssignWithSeed
      return [{ kind: 'account-sized', account: first, bytes: 0n }];
    case 11: // TransferWithSeed
      return moved(third, u64(data, 4), []);
    default:
      return [];
  }
}

/** SPL Token and Token-2022: one byte tag (spl-token-interface, src/instruction.rs). */
function readToken(program: string, accounts: string[], data: Uint8Array): Action[] {
  const [first, second, third, fourth] = accounts;
  const tag = data[0];
  if (tag === BATCH) return readBatch(program, accounts, data);
  if (first === undefined || tag === undefined) return [];
  const opened = (owner: string | null | undefined): Action[] =>
    owner && second !== undefined
      ? [{ kind: 'owner-shown', account: first, owner, mint: second, opened: true }]
      : [];
  const supply = (
    kind: 'mint-to' | 'burn',
    account: string | undefined,
    mint: string | undefined,
  ) => {
    const amount = u64(data, 1);
    return account === undefined || amount === null
      ? []
      : [{ kind, account, mint: mint ?? null, amount }];
  };
  switch (tag) {
    case 1: // InitializeAccount
      return opened(third);
    case 16: // InitializeAccount2
    case 18: // InitializeAccount3
      return opened(address(data, 1));
    case 3: {
      // Transfer: source, destination, authority
      const amount = u64(data, 1);
      if (second === undefined || amount === null) return [];
      return [tokenTransfer(program, first, second, third, null, amount, accounts.slice(3))];
    }
    case 12: {
      // TransferChecked: source, mint, destination, authority
      const amount = u64(data, 1);
      if (second === undefined || third === undefined || amount === null) return [];
      return [tokenTransfer(program, first, third, fourth, second, amount, accounts.slice(4))];
    }
    case 26: {
      // TransferFeeExtension, 1 = TransferCheckedWithFee
      const amount = u64(data, 2);
      if (data[1] !== 1 || second === undefined || third === undefined || amount === null)
        return [];
      return [tokenTransfer(program, first, third, fourth, second, amount, accounts.slice(4))];
    }
    case 7: // MintTo
    case 14: // MintToChecked
      return supply('mint-to', second, first);
    case 8: // Burn
    case 15: // BurnChecked
      return supply('burn', first, second);
    case 4: // Approve: source, delegate, owner
      return shown(first, third);
    case 13: // ApproveChecked: source, mint, delegate, owner
      return shown(first, fourth);
    case 6: // SetAuthority, 2 = AccountOwner
      if (data[1] !== 2) return [];
      return [
        {
          kind: 'owner-changed',
          account: first,
          from: second ?? null,
          to: data[2] === 1 ? address(data, 3) : null,
        },
      ];
    case 9: // CloseAccount
      return second === undefined
        ? []
        : [{ kind: 'account-closed', account: first, destination: second }];
    default:
      return [];
  }
}

/** p-token's batch: tag, then account count, data length and data of each instruction. */
const BATCH = 255;

function readBatch(program: string, accounts: string[], data: Uint8Array): Action[] {
  const actions: Action[] = [];
  let at = 1;
  let account = 0;
  while (at + 2 <= data.length) {
    const accountCount = data[at] ?? 0;
    const length = data[at + 1] ?? 0;
    const own = data.subarray(at + 2, at + 2 + length);
    const named = accounts.slice(account, account + accountCount);
    if (own[0] !== BATCH) actions.push(...readToken(program, named, own));
    at += 2 + length;
    account += accountCount;
  }
  return actions;
}

/** Associated token program: payer, account, wallet, mint; no data or 0 = Create, 1 = CreateIdempotent. */
function readAssociated(accounts: string[], data: Uint8Array): Action[] {
  const [, account, owner, mint] = accounts;
  if (account === undefined || owner === undefined || mint === undefined) return [];
  const tag = data[0] ?? 0;
  // CreateIdempotent fails unless the account's owner is this wallet, so either one proves the owner.
  return tag > 1 ? [] : [{ kind: 'owner-shown', account, owner, mint, opened: tag === 0 }];
}

function readMemo(data: Uint8Array): Action[] {
  try {
    return [{ kind: 'memo', text: new TextDecoder('utf-8', { fatal: true }).decode(data) }];
  } catch {
    return [];
  }
}

function tokenTransfer(
  program: string,
  source: string,
  destination: string,
  authority: string | undefined,
  mint: string | null,
  amount: bigint,
  extra: string[],
): Action {
  return {
    kind: 'token-transfer',
    program,
    source,
    destination,
    authority: authority ?? null,
    mint,
    amount,
    extra,
  };
}

/** Only the owner, never a delegate, can approve a delegate. */
function shown(account: string, owner: string | undefined): Action[] {
  return owner === undefined
    ? []
    : [{ kind: 'owner-shown', account, owner, mint: null, opened: false }];
}

function u32(data: Uint8Array, at: number): number | null {
  if (at + 4 > data.length) return null;
  return new DataView(data.buffer, data.byteOffset, data.byteLength).getUint32(at, true);
}

function u64(data: Uint8Array, at: number): bigint | null {
  if (at < 0 || at + 8 > data.length) return null;
  return new DataView(data.buffer, data.byteOffset, data.byteLength).getBigUint64(at, true);
}

function address(data: Uint8Array, at: number): string | null {
  return at + 32 > data.length ? null : bs58.encode(data.subarray(at, at + 32));
}
