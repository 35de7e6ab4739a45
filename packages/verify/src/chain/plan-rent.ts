import type { Step } from './action';
import { rentLamports, SYSTEM, TOKEN_ACCOUNT_BYTES } from './programs';

type RentPlan = {
  /** How much of a sum is rent of an account that is opened and holds so much already. */
  opening(account: string, o: { amount: bigint; held: bigint }): bigint;
  /** How much of a sum is rent for what instructions add to an account; each byte is paid for once. */
  growing(account: string, amount: bigint): bigint;
  /** The size of an account that the transaction opens; undefined for one that was there. */
  bytesOf(account: string): bigint | undefined;
};

/** Which accounts a transaction opens or makes larger, and the rent that takes. */
export function planRent(steps: readonly Step[]): RentPlan {
  const sizes = new Map<string, bigint>();
  const growth = new Map<string, bigint>();
  const size = (account: string, bytes: bigint): void => {
    const known = sizes.get(account) ?? 0n;
    sizes.set(account, bytes > known ? bytes : known);
  };
  const opened = new Set<string>();
  for (const { action } of steps) {
    if (action.kind === 'account-created' && (action.bytes > 0n || isProgram(action.owner)))
      size(action.to, action.bytes);
    if (action.kind === 'account-sized' && (action.bytes > 0n || isProgram(action.owner)))
      size(action.account, action.bytes);
    if (action.kind === 'owner-shown' && action.opened) opened.add(action.account);
    if (action.kind === 'account-grown')
      growth.set(action.account, (growth.get(action.account) ?? 0n) + action.lamports);
  }
  for (const account of opened) if (!sizes.has(account)) sizes.set(account, TOKEN_ACCOUNT_BYTES);
  return {
    opening: (account, { amount, held }) => {
      const bytes = sizes.get(account);
      return bytes === undefined ? 0n : least(amount, rentLamports(bytes) - held);
    },
    growing: (account, amount) => {
      const left = growth.get(account) ?? 0n;
      const part = least(amount, left);
      growth.set(account, left - part);
      return part;
    },
    bytesOf: (account) => sizes.get(account),
  };
}

function isProgram(owner: string | null): boolean {
  return owner !== null && owner !== SYSTEM;
}

/** The smaller of two, never below zero. */
function least(a: bigint, b: bigint): bigint {
  const smaller = a < b ? a : b;
  return smaller > 0n ? smaller : 0n;
}
