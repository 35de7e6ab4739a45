import type { Action } from './action';
import { address, u64 } from './decode-wire';

/** SPL Token and Token-2022: one byte tag (spl-token-interface, src/instruction.rs). */
export function readToken(program: string, accounts: string[], data: Uint8Array): Action[] {
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
    case 2: // InitializeMultisig
    case 19: // InitializeMultisig2
      return [{ kind: 'multisig-made', account: first }];
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
