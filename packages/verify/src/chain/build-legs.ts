import { EXCHANGES } from './exchanges';
import type { Leg, OwnerKind } from './movements';
import type { NormalTransaction } from './normalise-transaction';
import { assetOf, SOL_DECIMALS, WRAPPED_SOL } from './programs';
import type { Owner, Owners } from './trace-owners';
import type { Flow } from './trace-sol';

type Net = { owner: Owner; amount: bigint };

/** The legs of a transaction, in an order that everyone finds alike: by token, given first, largest first. */
export function buildLegs(o: {
  tx: NormalTransaction;
  changes: Changes;
  flows: readonly Flow[];
  kindOf: (owner: Owner) => OwnerKind;
}): Leg[] {
  const legs: Leg[] = [];
  const assets = [...o.changes.keys()].sort((a, b) => ((a ?? '') < (b ?? '') ? -1 : 1));
  for (const asset of assets) {
    const nets = [...(o.changes.get(asset) ?? [])]
      .map(([owner, amount]): Net => ({ owner, amount }))
      .filter(({ amount }) => amount !== 0n)
      .sort(bySize);
    const flows = o.flows.filter((flow) => flow.asset === asset);
    const token = describeToken(o.tx, asset, flows);
    for (const net of nets) legs.push(legOf({ ...o, token, nets, net, flows }));
  }
  return legs;
}

/** Outflow comes before inflow, the larger before the smaller. */
function bySize(a: Net, b: Net): number {
  const [isGivenA, isGivenB] = [a.amount < 0n, b.amount < 0n];
  if (isGivenA !== isGivenB) return isGivenA ? -1 : 1;
  if (a.amount !== b.amount) return size(a) > size(b) ? -1 : 1;
  return a.owner < b.owner ? -1 : 1;
}

function size({ amount }: Net): bigint {
  return amount < 0n ? -amount : amount;
}

type Token = {
  asset: string | null;
  tokenProgram: string | null;
  decimals: number;
  isNft: boolean;
};

function describeToken(tx: NormalTransaction, asset: string | null, flows: readonly Flow[]): Token {
  if (asset === null) return { asset, tokenProgram: null, decimals: SOL_DECIMALS, isNft: false };
  const balances = [...tx.tokensBefore, ...tx.tokensAfter].filter(({ mint }) => mint === asset);
  return {
    asset,
    tokenProgram:
      balances.find((entry) => entry.tokenProgram)?.tokenProgram ?? flows[0]?.program ?? null,
    decimals: balances[0]?.decimals ?? 0,
    isNft: balances.every(({ decimals, amount }) => decimals === 0 && amount <= 1n),
  };
}

function legOf(o: {
  token: Token;
  nets: readonly Net[];
  net: Net;
  flows: readonly Flow[];
  kindOf: (owner: Owner) => OwnerKind;
}): Leg {
  const { token, net } = o;
  const isGiven = net.amount < 0n;
  const own = o.flows.filter((flow) => (isGiven ? flow.from : flow.to) === net.owner);
  const back = o.flows.filter((flow) => (isGiven ? flow.to : flow.from) === net.owner);
  const shown = total(own.filter(byTransfer)) - total(back.filter(byTransfer));
  const amount = size(net);
  const wrapped = token.asset === null ? wrappedBy(own) : null;
  return {
    owner: net.owner,
    kind: o.kindOf(net.owner),
    direction: isGiven ? 'given' : 'got',
    mint: wrapped ? WRAPPED_SOL : token.asset,
    tokenProgram: wrapped ?? token.tokenProgram,
    decimals: token.decimals,
    amount,
    amountSent: isGiven ? amount : sentTo(net, o.nets, shown),
    // Of SOL a program may take or give some without any instruction; of tokens it cannot.
    isShown: own.some(byTransfer) && (token.asset !== null || shown === amount),
    isNft: token.isNft,
    references: isGiven ? [] : [...new Set(own.flatMap(({ extra }) => extra))],
  };
}

function byTransfer({ isTransfer }: Flow): boolean {
  return isTransfer;
}

function total(flows: readonly Flow[]): bigint {
  return flows.reduce((sum, { amount }) => sum + amount, 0n);
}

/** The token program, when all of it moved as wrapped SOL. */
function wrappedBy(flows: readonly Flow[]): string | null {
  const [first] = flows;
  return flows.every(({ program }) => program !== null) ? (first?.program ?? null) : null;
}

/** The amount sent to a receiver. With a transfer fee it is more than the amount that arrived. */
function sentTo(net: Net, nets: readonly Net[], shown: bigint): bigint {
  const missing = -nets.reduce((sum, { amount }) => sum + amount, 0n);
  if (missing <= 0n) return net.amount;
  const receivers = nets.filter(({ amount }) => amount > 0n);
  const givers = nets.filter(({ amount }) => amount < 0n);
  const [giver] = givers;
  if (receivers.length === 1 && givers.length === 1 && giver) return size(giver);
  return shown > net.amount ? shown : net.amount;
}

/** By asset (null: SOL), then by owner: how much its balances changed. Zeros may be among them. */
export type Changes = Map<string | null, Map<Owner, bigint>>;

/**
 * How the balances of each owner changed, over all its accounts. SOL is the lamports of all of
 * them, wrapped SOL and rent included. The balance of an account counts for its owner before and
 * for its owner after, who may differ. A missing token balance means an empty or absent account.
 */
export function sumChanges(tx: NormalTransaction, owners: Owners): Changes {
  const changes: Changes = new Map();
  const add = (asset: string | null, owner: Owner, amount: bigint): void => {
    const ofAsset = changes.get(asset) ?? new Map<Owner, bigint>();
    ofAsset.set(owner, (ofAsset.get(owner) ?? 0n) + amount);
    changes.set(asset, ofAsset);
  };
  for (const [account, { before, after }] of tx.lamports) {
    add(null, owners.before(account), -before);
    add(null, owners.after(account), after);
  }
  for (const { account, mint, owner, amount } of tx.tokensBefore)
    if (mint !== WRAPPED_SOL) add(mint, owner ?? owners.before(account), -amount);
  for (const { account, mint, owner, amount } of tx.tokensAfter)
    if (mint !== WRAPPED_SOL) add(mint, owner ?? owners.after(account), amount);
  return changes;
}

/**
 * Program accounts that gave one token and got another, each transfer called by a listed exchange
 * program. Only the program that an account belongs to can let it give, so no other program can
 * pass for an exchange. If the node did not record the calls, every program that may have called
 * must be listed. With a time, programs that were listed later do not count.
 */
export function findExchanged(
  legs: readonly Leg[],
  flows: readonly Flow[],
  tableOf?: Date,
): string[] {
  const isCalled = ({ callers }: Flow): boolean =>
    callers.length > 0 && callers.every((program) => EXCHANGES.has(program, tableOf));
  const owners = new Set(legs.filter(({ kind }) => kind === 'program').map(({ owner }) => owner));
  return [...owners].filter((owner) => {
    const own = legs.filter((leg) => leg.owner === owner);
    const isTrade =
      own.some(({ direction }) => direction === 'given') &&
      own.some(({ direction }) => direction === 'got');
    const assets = new Set(own.map(({ mint }) => assetOf(mint)));
    const moved = flows.filter(
      ({ asset, from, to }) => assets.has(asset) && (from === owner || to === owner),
    );
    return isTrade && own.every(({ isShown }) => isShown) && moved.every(isCalled);
  });
}
