export const KINDS = ['free', 'documented', 'v1', 'v2', 'statement'] as const;
export type Kind = (typeof KINDS)[number];

/** One customer's request and answer. Each has its own wallet. */
export type Purchase = {
  kind: Kind;
  payer: string;
  /** Transaction of the receipt, or for a statement its {@link statementKey}. */
  txSignature: string;
  /** Null: no answer named one. */
  receiptId: string | null;
  trouble: string | null;
};

/** Chain and database after all work has ended. */
export type Evidence = {
  purchases: Purchase[];
  /** Receipts that are not released, and statements, with their mints. */
  receipts: { id: string; txSignature: string; metadataUri: string; status: string }[];
  /** The ledger. */
  payments: {
    signature: string | null;
    payer: string | null;
    state: string;
    amountMicros: bigint | null;
    subjectId: string | null;
  }[];
  /** Transactions of the chain that brought USDC to the wallet that is paid. */
  incoming: { signature: string; payer: string; amount: bigint }[];
  /** How much that wallet's balance rose. */
  arrived: bigint;
  /** NFTs of the payers by the address of their metadata. */
  nfts: ReadonlyMap<string, number>;
  /** Leaves by the counters of the trees. */
  minted: bigint;
};

/** Takes the place of the transaction for a statement, because each customer buys only one. */
export const statementKey = (wallet: string) => `statement of ${wallet}`;

export type Tally = {
  requests: number;
  receipts: number;
  nfts: number;
  payments: number;
  lost: number;
  doubled: number;
  unpaid: number;
};
export type Verdict = { byKind: Record<Kind, Tally>; all: Tally; faults: string[] };

/** The price of one purchase, in micro-USDC. */
export const PRICES: Record<Kind, bigint> = {
  free: 0n,
  documented: 100_000n,
  v1: 100_000n,
  v2: 100_000n,
  statement: 1_000_000n,
};
/** States of a payment whose money has arrived and that waits for nothing. */
const AT_REST = ['used', 'unused'];

/** Compares the requests with the result. Every fault has a line, and counts in one column. */
export function judge(evidence: Evidence): Verdict {
  const faults: string[] = [];
  const byKind: Verdict['byKind'] = {
    free: empty(),
    documented: empty(),
    v1: empty(),
    v2: empty(),
    statement: empty(),
  };
  for (const purchase of evidence.purchases)
    judgePurchase(evidence, purchase, byKind[purchase.kind], faults);
  const rest = judgeSums(evidence, faults);
  const all = Object.values(byKind).reduce(add, rest);
  return { byKind, all, faults };
}

function judgePurchase(
  { receipts, payments, incoming, nfts }: Evidence,
  purchase: Purchase,
  tally: Tally,
  faults: string[],
): void {
  const { kind, payer, txSignature, receiptId, trouble } = purchase;
  const fault = (column: 'lost' | 'doubled' | 'unpaid', text: string) => {
    tally[column] += 1;
    faults.push(`${column}: ${kind} request of ${payer}: ${text}`);
  };
  const mine = receipts.filter((receipt) => receipt.txSignature === txSignature);
  tally.requests += 1;
  tally.receipts += mine.length;
  if (receiptId === null || mine.length === 0)
    fault('lost', trouble ?? `the answer named ${receiptId}, and there is no receipt`);
  else if (mine[0]?.id !== receiptId)
    fault('lost', `the answer named ${receiptId}, which is not a receipt of this request`);
  if (mine.length > 1) fault('doubled', `${mine.length} receipts`);
  for (const { id, metadataUri, status } of mine) {
    const count = nfts.get(metadataUri) ?? 0;
    tally.nfts += count;
    if (status !== 'completed') fault('lost', `receipt ${id} is ${status}`);
    else if (count === 0) fault('lost', `receipt ${id} has no NFT on the chain`);
    if (count > 1) fault('doubled', `receipt ${id} has ${count} NFTs on the chain`);
  }
  const paid = incoming.filter((one) => one.payer === payer);
  tally.payments += paid.length;
  const due = kind === 'free' ? 0 : 1;
  if (paid.length > due) fault('doubled', `the chain has ${paid.length} payments`);
  if (paid.length < due && mine.length > 0) fault('unpaid', 'the chain has no payment');
  if (due > 0 && paid.some(({ amount }) => amount !== PRICES[kind]))
    fault('doubled', 'not the price was paid');
  if (due === 0) return;
  const used = payments.filter((one) => one.state === 'used' && one.subjectId === mine[0]?.id);
  if (used.length > 1) fault('doubled', `${used.length} payments were used for it`);
  if (mine.length > 0 && used[0]?.signature !== paid[0]?.signature)
    fault('unpaid', 'the payment it was written for is not the one on the chain');
}

/** Records that belong to no single request. */
function judgeSums(evidence: Evidence, faults: string[]): Tally {
  const { purchases, receipts, payments, incoming, arrived, nfts, minted } = evidence;
  const tally = empty();
  const fault = (column: 'lost' | 'doubled' | 'unpaid', text: string) => {
    tally[column] += 1;
    faults.push(`${column}: ${text}`);
  };
  const onRecord = new Map(payments.map((one) => [one.signature, one]));
  for (const { signature, amount } of incoming) {
    const row = onRecord.get(signature);
    if (!row || !AT_REST.includes(row.state) || row.amountMicros !== amount)
      fault('lost', `payment ${signature} is ${row?.state ?? 'nowhere'} in the ledger`);
  }
  const onChain = new Set(incoming.map(({ signature }) => signature));
  const good = payments.filter(({ state }) => AT_REST.includes(state));
  for (const { signature, state } of good)
    if (signature === null || !onChain.has(signature))
      fault('unpaid', `payment ${signature} is ${state} and not on the chain`);
  const subjects = good.flatMap(({ state, subjectId }) => (state === 'used' ? [subjectId] : []));
  if (new Set(subjects).size !== subjects.length)
    fault('doubled', 'two payments were used for one receipt');
  const sum = (amounts: bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);
  const ledger = sum(good.map(({ amountMicros }) => amountMicros ?? 0n));
  if (ledger < arrived) fault('lost', `${arrived} arrived, the ledger has ${ledger}`);
  if (ledger > arrived) fault('unpaid', `${arrived} arrived, the ledger has ${ledger}`);
  if (sum(incoming.map(({ amount }) => amount)) !== arrived)
    fault('lost', `${arrived} arrived, which is not the sum of the payments on the chain`);
  const known = sum([...nfts.values()].map(BigInt));
  if (minted > known) fault('doubled', `the trees have ${minted} leaves, the payers ${known}`);
  if (minted < known) fault('lost', `the trees have ${minted} leaves, the payers ${known}`);
  const wanted = new Set(purchases.map(({ txSignature }) => txSignature));
  for (const { id, txSignature } of receipts)
    if (!wanted.has(txSignature)) fault('doubled', `receipt ${id} belongs to no request`);
  return tally;
}

function empty(): Tally {
  return { requests: 0, receipts: 0, nfts: 0, payments: 0, lost: 0, doubled: 0, unpaid: 0 };
}

function add(a: Tally, b: Tally): Tally {
  return {
    requests: a.requests + b.requests,
    receipts: a.receipts + b.receipts,
    nfts: a.nfts + b.nfts,
    payments: a.payments + b.payments,
    lost: a.lost + b.lost,
    doubled: a.doubled + b.doubled,
    unpaid: a.unpaid + b.unpaid,
  };
}
