import { address, isAddress, isOffCurveAddress } from '@solana/kit';
import type { Action } from './action';
import type { OwnerKind } from './movements';
import type { NormalTransaction } from './normalise-transaction';
import { SYSTEM } from './programs';
import { isUnknown, type Owner, type Owners } from './trace-owners';

/**
 * Tells wallets from program accounts by this transaction alone. An owner off the Ed25519 curve is a program
 * account. One on the curve is a wallet, unless the transaction shows that it was made for a program, is an
 * SPL multisig (its tokens move and it does not sign), or loses SOL that no instruction takes.
 */
export function tellKinds(o: {
  tx: NormalTransaction;
  actions: readonly Action[];
  owners: Owners;
  /** Accounts that a program took SOL from without an instruction, as only their own program can. */
  debited: ReadonlySet<string>;
}): (owner: Owner) => OwnerKind {
  const { tx, owners } = o;
  const programs = new Set(o.debited);
  for (const action of o.actions) {
    if (action.kind === 'multisig-made') programs.add(action.account);
    if (action.kind === 'account-created' && isProgram(action.owner)) programs.add(action.to);
    if (action.kind === 'account-sized' && isProgram(action.owner)) programs.add(action.account);
    if (action.kind === 'stake-withdrawn') programs.add(action.account);
    if (action.kind === 'stake-moved') programs.add(action.from).add(action.to);
    if (action.kind !== 'token-transfer' || action.authority === null) continue;
    const { source, authority } = action;
    const isOwner = [owners.before(source), owners.after(source)].includes(authority);
    if (isOwner && !tx.signers.has(authority)) programs.add(authority);
  }
  return (owner) => {
    if (isUnknown(owner)) return 'unknown';
    if (programs.has(owner)) return 'program';
    // Only a point on the curve can sign.
    return !tx.signers.has(owner) && isOffCurve(owner) ? 'program' : 'wallet';
  };
}

function isProgram(owner: string | null): boolean {
  return owner !== null && owner !== SYSTEM;
}

/** Addresses met lately: the curve is asked once for each. */
const known = new Map<string, boolean>();
const MOST_KNOWN = 50_000;

function isOffCurve(owner: string): boolean {
  const before = known.get(owner);
  if (before !== undefined) return before;
  // What is no address is nobody's wallet.
  const isOff = !isAddress(owner) || isOffCurveAddress(address(owner));
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(owner, isOff);
  return isOff;
}
