import type { Action } from './action';
import { address, u32, u64 } from './data-layout';

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
