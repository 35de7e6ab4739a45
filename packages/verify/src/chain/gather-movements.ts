import { address, isAddress, isOffCurveAddress } from '@solana/kit';
import type { Action, Step } from './action';
import { buildLegs, type Changes, findExchanged, sumChanges } from './build-legs';
import { listFees } from './fees';
import type { LeftOut, Movements, OwnerKind } from './movements';
import type { NormalTransaction } from './normalise-transaction';
import {
  ACCOUNT_FUNDING_LAMPORTS,
  ASSET_PROGRAMS,
  assetOf,
  SOL_DECIMALS,
  SYSTEM,
} from './programs';
import { planRent, returnRent } from './rent';
import { isUnknown, type Owner, type Owners, traceOwners } from './trace-owners';
import { openSolBook, referencesOf, type SolBook } from './trace-sol';

/**
 * Reduces a transaction to the amounts that each owner gave and got, over all tokens and SOL
 * together. Other movements are left out. Together they are the change of every balance: a leg is
 * the rest of a change after everything left out. With a time, the lists of tips and exchanges are
 * those of that time.
 */
export function gatherMovements(
  tx: NormalTransaction,
  blockTime: Date,
  steps: readonly Step[],
  tableOf?: Date,
): Movements {
  const actions = steps.map(({ action }) => action);
  const owners = traceOwners(tx, actions);
  const traced = traceFlows({ tx, steps, owners, tableOf });
  const unexplained = explainLamports(tx, traced);
  const debited = new Set(
    [...unexplained].flatMap(([account, lamports]) => (lamports < 0n ? [account] : [])),
  );
  const kindOf = tellKinds({ tx, actions, owners, debited });
  // An account that a program takes SOL from is not being funded, and a wallet's token account pays it out.
  const isFundable = (account: string, owner: Owner): boolean =>
    !debited.has(account) && kindOf(owner) === 'program';
  const funded = fundAccounts(traced, isFundable);
  const flows = [...traced.flows, ...funded.flows];
  const leftOut = [
    ...listFees(tx),
    ...traced.leftOut,
    ...funded.leftOut,
    ...returnRent({ tx, owners, unexplained, bytesOf: planRent(steps).bytesOf }),
  ];
  const changes = takeOff(sumChanges(tx, owners), leftOut);
  const legs = buildLegs({ tx, changes, flows, kindOf });
  return {
    signature: tx.signature,
    slot: tx.slot,
    blockTime,
    feePayer: tx.feePayer,
    legs,
    leftOut,
    exchanged: findExchanged(legs, flows, tableOf),
    memos: traced.memos,
    hasHiddenAssets: tx.instructions.some(({ programId }) => ASSET_PROGRAMS.has(programId)),
    hasInner: tx.hasInner,
  };
}

/**
 * The gain or loss (below zero) of each account beyond the fee and the amounts that instructions
 * show.
 */
function explainLamports(tx: NormalTransaction, { held }: Flows): Map<string, bigint> {
  const unexplained = new Map<string, bigint>();
  for (const [account, { after }] of tx.lamports) {
    const fee = account === tx.feePayer ? tx.fee : 0n;
    const left = after - (held.get(account) ?? 0n) + fee;
    if (left !== 0n) unexplained.set(account, left);
  }
  return unexplained;
}

/** SOL that went into program accounts: up to 0.01 SOL in all funds the account, more is paid to it. */
function fundAccounts(
  { poured }: Flows,
  isFundable: (account: string, owner: Owner) => boolean,
): Pick<Flows, 'flows' | 'leftOut'> {
  const totals = new Map<string, bigint>();
  for (const { account, flow } of poured)
    totals.set(account, (totals.get(account) ?? 0n) + flow.amount);
  const flows: Flows['flows'] = [];
  const leftOut: LeftOut[] = [];
  for (const { account, flow } of poured) {
    const isSmall = (totals.get(account) ?? 0n) <= ACCOUNT_FUNDING_LAMPORTS;
    const { from, to, amount } = flow;
    const isFunding = isSmall && isFundable(account, to);
    if (!isFunding) flows.push(flow);
    else
      leftOut.push({
        reason: 'account_funding',
        from,
        to,
        account,
        mint: null,
        decimals: SOL_DECIMALS,
        amount,
      });
  }
  return { flows, leftOut };
}

function takeOff(changes: Changes, leftOut: readonly LeftOut[]): Changes {
  const add = (mint: string | null, owner: Owner | null, amount: bigint): void => {
    if (owner === null) return;
    const ofAsset = changes.get(mint) ?? new Map<Owner, bigint>();
    ofAsset.set(owner, (ofAsset.get(owner) ?? 0n) + amount);
    changes.set(mint, ofAsset);
  };
  for (const { from, to, mint, amount } of leftOut) {
    add(mint, from, amount);
    add(mint, to, -amount);
  }
  return changes;
}

/** The movements that instructions show: from whom to whom, and which of them are not legs. */
export type Flows = Pick<SolBook, 'flows' | 'leftOut' | 'poured' | 'held'> & { memos: string[] };

/**
 * Follows tokens and SOL through the actions in order, with the owners at that moment. So it sees
 * accounts that were opened and closed within the transaction, although no balance names them.
 * Movements of nothing are left out.
 */
function traceFlows(o: {
  tx: NormalTransaction;
  steps: readonly Step[];
  owners: Owners;
  tableOf: Date | undefined;
}): Flows {
  const { tx, steps, owners } = o;
  const mints = mintsOfAccounts(tx, steps);
  const decimals = new Map(
    [...tx.tokensBefore, ...tx.tokensAfter].map((balance) => [balance.mint, balance.decimals]),
  );
  const sol = openSolBook({ ...o, mints });
  const { flows, leftOut } = sol;
  const memos: string[] = [];
  const leave = (one: Omit<LeftOut, 'decimals'> & { mint: string }): void => {
    if (one.amount > 0n) leftOut.push({ ...one, decimals: decimals.get(one.mint) ?? 0 });
  };

  for (const step of steps) {
    const { action } = step;
    sol.take(step);
    owners.advance(action);
    if (action.kind === 'memo') memos.push(action.text);
    if (action.kind === 'mint-to' || action.kind === 'burn') {
      const { account, amount } = action;
      const mint = action.mint ?? mints.get(account);
      if (mint === undefined) continue;
      const owner = owners.now(account);
      if (action.kind === 'burn')
        leave({ reason: 'burned', from: owner, to: null, account, mint, amount });
      else leave({ reason: 'minted', from: null, to: owner, account, mint, amount });
    }
    if (action.kind === 'token-transfer') {
      const { source, destination: account, program, amount } = action;
      const mint = action.mint ?? mints.get(source) ?? mints.get(account);
      if (mint === undefined || assetOf(mint) === null || amount === 0n) continue;
      const [from, to] = [owners.now(source), owners.now(account)];
      if (from === to) leave({ reason: 'self_transfer', from, to, account, mint, amount });
      else {
        const extra = referencesOf(tx, action, [from, to, mint]);
        const { callers } = step;
        flows.push({ asset: mint, from, to, amount, program, isTransfer: true, extra, callers });
      }
    }
  }
  return { flows, leftOut, poured: sol.poured, held: sol.held, memos };
}

function mintsOfAccounts(tx: NormalTransaction, steps: readonly Step[]): Map<string, string> {
  const mints = new Map<string, string>();
  for (const { action } of steps)
    if (action.kind === 'owner-shown' && action.mint) mints.set(action.account, action.mint);
  for (const balance of [...tx.tokensBefore, ...tx.tokensAfter])
    mints.set(balance.account, balance.mint);
  return mints;
}

/**
 * Separates wallets from program accounts by this transaction alone. An owner off the Ed25519 curve
 * is a program account. One on the curve is a wallet, with three exceptions. The transaction shows
 * that it was made for a program. It is an SPL multisig (its tokens move and it does not sign). Or
 * it loses SOL that no instruction takes.
 */
function tellKinds(o: {
  tx: NormalTransaction;
  actions: readonly Action[];
  owners: Owners;
  /**
   * Accounts that a program took SOL from without an instruction, which only their own program can
   * do.
   */
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
  // A text that is not an address is not a wallet.
  const isOff = !isAddress(owner) || isOffCurveAddress(address(owner));
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(owner, isOff);
  return isOff;
}
