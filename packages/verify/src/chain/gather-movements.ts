import type { Step } from './action';
import { buildLegs } from './build-legs';
import { findExchanged } from './find-exchanged';
import { listFees } from './list-fees';
import type { LeftOut, Movements } from './movements';
import type { NormalTransaction } from './normalise-transaction';
import { tellKinds } from './owner-kinds';
import { ACCOUNT_FUNDING_LAMPORTS, ASSET_PROGRAMS, SOL_DECIMALS } from './programs';
import { planRent } from './plan-rent';
import { returnRent } from './return-rent';
import { sumChanges, type Changes } from './sum-changes';
import { traceFlows, type Flows } from './trace-flows';
import { traceOwners, type Owner } from './trace-owners';

/**
 * Reduces a transaction to what each owner gave and got, over all tokens and SOL together, and to what is
 * left out of it. Together they are the change of every balance: a leg is what remains of a change when all
 * that is left out is taken off.
 */
export function gatherMovements(
  tx: NormalTransaction,
  blockTime: Date,
  steps: readonly Step[],
): Movements {
  const actions = steps.map(({ action }) => action);
  const owners = traceOwners(tx, actions);
  const traced = traceFlows(tx, steps, owners);
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
    exchanged: findExchanged(legs, flows),
    memos: traced.memos,
    hasHiddenAssets: tx.instructions.some(({ programId }) => ASSET_PROGRAMS.has(programId)),
    hasInner: tx.hasInner,
  };
}

/** What each account gained, or lost (below zero), beyond the fee and what instructions show. */
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
