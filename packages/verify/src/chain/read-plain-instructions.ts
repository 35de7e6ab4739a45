import type { Action } from './action';

/** Associated token program: payer, account, wallet, mint; no data or 0 = Create, 1 = CreateIdempotent. */
export function readAssociated(accounts: string[], data: Uint8Array): Action[] {
  const [, account, owner, mint] = accounts;
  if (account === undefined || owner === undefined || mint === undefined) return [];
  const tag = data[0] ?? 0;
  // CreateIdempotent fails unless the account's owner is this wallet, so either one proves the owner.
  return tag > 1 ? [] : [{ kind: 'owner-shown', account, owner, mint, opened: tag === 0 }];
}

/** A memo; what is no UTF-8 text is none. */
export function readMemo(data: Uint8Array): Action[] {
  try {
    return [{ kind: 'memo', text: new TextDecoder('utf-8', { fatal: true }).decode(data) }];
  } catch {
    return [];
  }
}
