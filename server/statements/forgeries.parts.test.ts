import { beforeAll, describe, expect, test } from 'vitest';
import { TOKENS } from '@/devnet/client/pay-token';
import { makeKey, onChain } from '@/server/receipts/evidence.fixture';
import type { CheckLine, Outcome } from '@quittance/verify/receipts/check-line';
import { openPlaces, type Places } from '@quittance/verify/receipts/look-up-proof';
import { type Verdict, verdictOf } from '@quittance/verify/receipts/verdict';
import { WRAPPED_SOL } from '@quittance/verify/chain/programs';
import { checkComplete } from '@quittance/verify/statements/find-unlisted';
import { checkStatementProof, findRowProof } from '@quittance/verify/statements/statement-proof';
import {
  added,
  csv,
  everyTrait,
  facts,
  first,
  type Forge,
  type Forger,
  index,
  issuer,
  metadata,
  mintedAs,
  node,
  nth,
  oneLegMore,
  openForger,
  paidIn,
  scan,
  shown,
  totals,
  trait,
  untold,
} from './forger.fixture';
import { signatureOf } from './list.fixture';

/** The forgery, the line of the check that must find it, and the way it is made. */
type Forgery = [what: string, line: string, forge: Forge];

const stranger = makeKey().publicKey;
const longAgo = '2020-01-01T00:00:00.000Z';
const midnight = (days: number) =>
  `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)}T00:00:00.000Z`;
/** A scan ends when it is asked for. Clocks may differ by ten minutes. */
const [yesterday, now] = [midnight(-1), new Date(Date.now() + 300_000).toISOString()];
const USDT = TOKENS.USDT.mint;
const NO_ROW = { token: 'USDT', mint: USDT, decimals: 6, asPayer: 0n, asSeller: 9n };
const OTHER_FILES = { metadata: Buffer.from('{}'), image: Buffer.from('') };
const NO_FILES = { metadata: null, image: null };
const amount = (raw: bigint) => ({ amountRaw: raw, amountSentRaw: raw });
const before = (time: Date) => new Date(time.getTime() - 1_000);
const withoutPaid = <T extends object>(sums: T) => ({ ...sums, asPayer: 0n });
const ended = <T extends object>(key: T) => ({ ...key, used_until: longAgo });

/** A row with a receipt, which has labels in the CSV. */
const LABELS = {
  serviceType: 'LABEL',
  transactionType: 'sale',
  invoiceId: null,
  metadataUri: null,
};
const receipted = first({ receiptId: '7K3MQ9XW2ABC', labels: LABELS });
/** As a statement is made after an operator hid the labels of the receipt. */
const hidden = first({
  receiptId: '7K3MQ9XW2ABC',
  labels: {
    ...LABELS,
    serviceType: null,
    transactionType: null,
    metadataUri: 'https://gateway.irys.xyz/4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T',
  },
});
const labelled = (change: (text: string) => string): Forge => ({ ...receipted, ...csv(change) });
/** Without the name of its template, minted when that one was no longer in use. */
const old = metadata(({ attributes }) => ({
  attributes: attributes.filter((one) => one['trait_type'] !== 'Template'),
}));
const mintedLater = node(({ mintTransaction }) => ({
  mintTransaction: mintTransaction && { ...mintTransaction, blockTime: 1_800_000_000 },
}));
const newToken = paidIn(makeKey().publicKey, { token: 'NEWUSD', dtifCode: null });
const USDG = '2u1tszSeqZ3qBWF3uNGPFc8TzMk2tdiwknnRMWGWjGWH';
const laterCode = paidIn(USDG, { token: 'USDG', dtifCode: '9Z8X7W6V6' });
/** The same, where the chain has the NFT from before. */
const newTokenBefore: Forge = {
  ...newToken,
  shown: (one) => {
    const given = newToken.shown?.(one) ?? one;
    const { mintTransaction } = given.seen;
    const seen = {
      mintTransaction: mintTransaction && { ...mintTransaction, blockTime: 1_790_000_000 },
    };
    return { ...given, seen: { ...given.seen, ...seen } };
  },
};
const early = new Date(Date.now() - 1_800_000);
const yearsAgo = facts(() => ({ issuedAt: new Date('2019-06-01T00:00:00.000Z') }));
const usedYearsAgo = issuer((one) => ({
  storage_keys: one.storage_keys.map((key) => ({
    ...key,
    used_from: '2019-01-01T00:00:00.000Z',
    used_until: longAgo,
  })),
}));
const noInner = untold((leg) => ({ ...leg, amountSent: leg.amount + 5n }));
const hiddenLeg: Forge = {
  shown: (one) => {
    const more = oneLegMore(TOKENS.USDC.mint).shown?.(one).payments ?? one.payments;
    return untold((leg) => leg).shown?.({ ...one, payments: more }) ?? one;
  },
};
const receiptedTwice: Forge = {
  rows: (rows) =>
    rows.map((row, at) => (at < 2 ? { ...row, receiptId: '7K3MQ9XW2ABC', labels: LABELS } : row)),
};
const largerTurnover = totals(({ totalMicros }) => ({ totalMicros: totalMicros + 1n }));
/** One payment shown alone. */
const alone = shown(({ document, payments }) => {
  const [row] = document.transactions ?? [];
  const payment = payments !== 'none' && row && payments.get(row.tx_signature);
  const shownRow = row && findRowProof(document, { txSignature: row.tx_signature });
  if (!payment || !shownRow) throw new Error('there is no row');
  return {
    document: { ...document, transactions: undefined },
    membership: { ...shownRow, payment },
  };
});

/** By which the others are measured. */
const GENUINE: Forgery[] = [
  ['a list', '', {}],
  ['a scan', '', scan(yesterday, now, 10_000n)],
  ['a list with a receipt', '', receipted],
  ['a list with a receipt whose labels are hidden', '', hidden],
  ['a list from before templates named themselves', '', old],
  ['a list without a leg that has no value', '', oneLegMore(makeKey().publicKey)],
];

/** Made with the issuer's own keys, then signed and minted, or shown with other keys. */
const FORGED: Forgery[] = [
  // The metadata.
  ['a false description', 'metadata_remade', metadata(() => ({ description: '999,999 payments' }))],
  ['an animation', 'metadata_remade', metadata(() => ({ animation_url: 'https://g.example/a' }))],
  ['a field more', 'metadata_remade', metadata(() => ({ seller_fee: 500 }))],
  ['a trait more', 'metadata_remade', added('Audited by', 'an auditor')],
  ['a trait of scans in a list', 'metadata_remade', added('Accounts searched', 'all')],
  ['a trait marked chain', 'metadata_remade', everyTrait({ verification: 'chain' })],
  ['a trait of somebody else', 'metadata_remade', everyTrait({ reported_by: 'payer' })],
  ['a file more', 'metadata_remade', metadata(() => ({ properties: { files: [] } }))],
  ['a trait twice', 'metadata_readable', added('Wallet', stranger)],
  [
    'another page',
    'metadata_readable',
    metadata(() => ({ external_url: 'https://x.example/s/A' })),
  ],
  ['another id', 'metadata_readable', trait('Statement ID', 'STMT00000000')],
  ['a template that nobody knows', 'metadata_readable', trait('Template', '99')],
  ['another network', 'network_named', facts(() => ({ network: 'mainnet' }))],
  ['another wallet', 'rows_on_chain', trait('Wallet', stranger)],

  // Rows, with sums, root and CSV made to fit.
  ['a payment that never was', 'rows_on_chain', first({ txSignature: signatureOf('invented') })],
  ['a larger amount', 'rows_on_chain', first({ ...amount(850_000n), usdMicros: 850_000n })],
  ['a payment turned around', 'rows_on_chain', first({ role: 'seller' })],
  ['another counterparty', 'rows_on_chain', first({ counterparty: stranger })],
  ['another token', 'rows_on_chain', first({ mint: USDT, token: 'USDT', dtifCode: null })],
  ['other decimals', 'rows_on_chain', nth(3, () => ({ decimals: 5 }))],
  ['another time', 'rows_on_chain', nth(0, ({ blockTime }) => ({ blockTime: before(blockTime) }))],
  ['another slot', 'rows_on_chain', nth(0, ({ slot }) => ({ slot: slot - 1n }))],
  ['a fee not withheld', 'rows_on_chain', first({ feeWithheldRaw: 1n })],
  ['a leg that is not there', 'rows_on_chain', first({ leg: 7 })],
  ['the payments of another wallet', 'rows_on_chain', facts(() => ({ wallet: stranger }))],
  ['USDT on the mint of USDC', 'rows_valued', first({ token: 'USDT' })],
  ['the code of another token', 'rows_valued', first({ dtifCode: '6QBMW6DQZ' })],
  ['a new token by a taken symbol', 'rows_valued', paidIn(stranger, { dtifCode: null })],
  ['a code of no form', 'rows_valued', paidIn(USDG, { token: 'USDG', dtifCode: 'FZQ4WZNHX' })],
  [
    'a new code that is of another token',
    'rows_valued',
    paidIn(USDG, { token: 'USDG', dtifCode: '6QBMW6DQZ' }),
  ],
  ['a new token in a statement from before the table', 'rows_valued', newTokenBefore],
  ['a par that is not par', 'rows_valued', first({ usdMicros: 9_750_000n })],
  ['a euro at par', 'rows_valued', nth(3, () => ({ valuation: 'par', usdMicros: 2_000_000n }))],
  ['a dollar at a market price', 'rows_valued', first({ valuation: 'market', usdMicros: 7n })],
  ['one payment twice', 'rows_in_order', { rows: (rows) => [...rows.slice(0, 1), ...rows] }],
  [
    'the last first',
    'rows_in_order',
    { rows: (rows) => [...rows.slice(-1), ...rows.slice(0, -1)] },
  ],
  ['days without a row', 'rows_in_period', facts(() => ({ firstDay: '2020-01-01' }))],
  ['rows outside of its period', 'rows_in_period', scan(longAgo, '2020-02-01T00:00:00.000Z', 0n)],
  ['rows below its least value', 'rows_in_period', scan(yesterday, now, 100_000n)],

  ['a receipt of two payments', 'rows_in_order', receiptedTwice],
  ['a receipt of no form', 'merkle_root', first({ receiptId: '=A1', labels: LABELS })],
  ['a row without its leg', 'rows_in_order', first({ leg: null })],
  [
    'rows without their legs',
    'rows_in_order',
    { rows: (rows) => rows.map((row) => ({ ...row, leg: null })) },
  ],
  ['a leg left out', 'rows_whole', oneLegMore(TOKENS.USDC.mint)],

  // Sums, root and CSV.
  [
    'a CSV with a formula for a label',
    'csv_rows',
    labelled((text) => text.replace('LABEL', '=A1')),
  ],
  ['a CSV without a label', 'csv_rows', labelled((text) => text.replace('LABEL', ''))],
  [
    'a CSV with a label too long',
    'csv_rows',
    labelled((text) => text.replace('LABEL', 'L'.repeat(65))),
  ],
  ['a larger turnover', 'totals', largerTurnover],
  ['more payments', 'totals', totals(() => ({ txCount: 999 }))],
  ['more rows', 'totals', totals(() => ({ rowCount: 999 }))],
  ['paid for received', 'totals', totals((sums) => ({ asPayerMicros: sums.asSellerMicros }))],
  ['less of a token', 'totals', totals(({ tokens }) => ({ tokens: tokens.map(withoutPaid) }))],
  ['a token of no row', 'totals', totals(({ tokens }) => ({ tokens: [...tokens, NO_ROW] }))],
  ['another root', 'merkle_root', facts(() => ({ merkleRoot: 'ab'.repeat(32) }))],
  ['a row left out', 'merkle_root', { draft: (one) => ({ ...one, items: one.items.slice(1) }) }],
  ['a CSV of other amounts', 'csv_rows', csv((text) => text.replace(',0.75,', ',9.75,'))],
  ['a CSV of another token', 'csv_rows', csv((text) => text.replace(',USDC,', ',USDT,'))],
  ['a CSV of labels alone', 'csv_rows', csv((text) => text.replace(',,par,', ',x,par,'))],
  ['a CSV with more at its end', 'csv_rows', csv((text) => `${text}\n`)],

  // Keys, owners and names.
  ['an id of no form', 'metadata_readable', facts(() => ({ statementId: 'STMTUUUUUUUU' }))],
  ['a time before its payments', 'issued_after_payment', facts(() => ({ issuedAt: early }))],
  ['an old key with an old time', 'storage_key_ours', { ...yearsAgo, ...usedYearsAgo }],
  [
    'a file of two types',
    'files_tagged',
    mintedAs({ tags: [{ name: 'content-type', value: 'text/html' }] }),
  ],
  ['another owner', 'owner_is_wallet', mintedAs({ owner: stranger })],
  ['another name', 'leaf_computed', mintedAs({ name: 'Statement STMT00000000' })],
  ['no image of ours', 'picture_of_facts', mintedAs({ image: Buffer.from('an image') })],
  ['the image of another', 'picture_of_facts', { image: 'of another statement' }],
  ['another storage key', 'storage_key_ours', mintedAs({ storage: makeKey() })],
  [
    'a minter key that had ended',
    'creator_ours',
    issuer((one) => ({ creators: one.creators.map(ended) })),
  ],
  [
    'a storage key that had ended',
    'storage_key_ours',
    issuer((one) => ({ storage_keys: one.storage_keys.map(ended) })),
  ],
  ['a tree that had ended', 'tree_ours', issuer(({ trees }) => ({ trees: trees.map(ended) }))],
];

/** A node or gateway may be silent or lie: that decides nothing against a statement. */
const UNDECIDED: Forgery[] = [
  ['a node without the mint', 'minted', node(() => ({ mintTransaction: null }))],
  ['a node without the tree', 'root_recent', node(() => ({ tree: null }))],
  ['a node without the payments', 'rows_on_chain', shown(() => ({ payments: new Map() }))],
  [
    'an index with another proof',
    'leaf_proven',
    index(({ proof }) => ({ proof: { ...proof, root: stranger } })),
  ],
  ['a gateway with other files', 'metadata_served', shown(() => ({ served: OTHER_FILES }))],
  ['a gateway without the files', 'image_served', shown(() => ({ served: NO_FILES }))],
  [
    'a node that keeps no calls',
    'minted',
    node(({ mintTransaction: mint }) => ({
      mintTransaction: mint?.meta
        ? { ...mint, meta: { ...mint.meta, innerInstructions: null } }
        : null,
    })),
  ],
  [
    'a payment alone, of a statement with false sums',
    'rows_shown',
    { ...largerTurnover, ...alone },
  ],
  ['a leg left out that a rate alone values', 'rows_whole', oneLegMore(WRAPPED_SOL)],
  ['a template of before', 'template_in_use', { ...old, ...mintedLater }],
  ['a node without the calls of payments', 'rows_on_chain', noInner],
  ['a leg that a node without calls shows', 'rows_whole', hiddenLeg],
  ['a token newer than the table', 'rows_valued', newToken],
  ['a code registered after the table', 'rows_valued', laterCode],
  ['rows that were not looked up', 'rows_on_chain', shown(() => ({ payments: 'none' }))],
  [
    'a proof without its rows',
    'rows_shown',
    shown(({ document }) => ({ document: { ...document, transactions: undefined } })),
  ],
];

const TABLE: [verdict: Verdict, forgeries: Forgery[]][] = [
  ['genuine', GENUINE],
  ['not genuine', FORGED],
  ['could not be checked', UNDECIDED],
];
const results = new Map<string, { verdict: Verdict; faults: string[] }>();

/** Statements of which a scan of the wallet finds, or not, what they leave out. */
const SCANNED: [what: string, outcome: Outcome, forge: Forge][] = [
  ['a whole scan', 'held', scan(yesterday, now, 10_000n)],
  ['a list', 'held', without(0)],
  ['a scan without a payment', 'failed', { ...without(0), ...scan(yesterday, now, 10_000n) }],
  [
    'a scan without one below its least',
    'held',
    { ...without(4), ...scan(yesterday, now, 20_001n) },
  ],
  [
    'a scan without one that a rate values',
    'unknown',
    { ...without(3), ...scan(yesterday, now, 0n) },
  ],
];
function without(n: number): Forge {
  return { rows: (rows) => rows.filter((_, at) => at !== n) };
}
const scanned = new Map<string, CheckLine>();

/** A node with the histories of the wallet: its payments, without its funding. */
function payingNode(rpcUrl: string, payments: ReadonlySet<string>): Places {
  const places = openPlaces({ rpcUrl, network: 'local' });
  const { rpc } = places;
  const getSignaturesForAddress: typeof rpc.getSignaturesForAddress = async (...asked) =>
    (await rpc.getSignaturesForAddress(...asked)).filter(
      ({ signature, failed }) => failed || payments.has(signature),
    );
  return { ...places, rpc: { ...rpc, getSignaturesForAddress } };
}

async function scanAll(rpcUrl: string, forger: Forger): Promise<void> {
  const { transactions = [] } = (await forger({})).document;
  const places = payingNode(rpcUrl, new Set(transactions.map((row) => row.tx_signature)));
  for (const [what, , forge] of SCANNED) {
    const { document } = await forger(forge);
    scanned.set(what, await checkComplete({ document, mintedAt: null, ...places }));
  }
  const { document } = await forger({});
  const { transactions: hidden, ...bare } = document;
  scanned.set(
    `without its ${hidden?.length ?? 0} rows`,
    await checkComplete({ document: bare, mintedAt: null, ...places }),
  );
}

/** Mints at once: more would wait so long for each other that their transactions expire. */
const AT_ONCE = 4;

beforeAll(
  () =>
    onChain(async (rpcUrl) => {
      const forger = await openForger(rpcUrl);
      const waiting = TABLE.flatMap(([, forgeries]) => forgeries).values();
      const work = async (): Promise<void> => {
        for (const [what, , forge] of waiting) {
          const lines = checkStatementProof(await forger(forge));
          const faults = lines.flatMap(({ id, outcome }) => (outcome === 'held' ? [] : [id]));
          results.set(what, { verdict: verdictOf(lines), faults });
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      await scanAll(rpcUrl, forger);
    }),
  300_000,
);

describe.each(TABLE)('is %s:', (verdict, forgeries) => {
  test.each(forgeries)('%s (%s)', (what, line) => {
    const result = results.get(what);
    expect(result, JSON.stringify(result)).toMatchObject({ verdict });
    if (line === '') expect(result?.faults).toEqual([]);
    else expect(result?.faults).toContain(line);
  });
});

test.each(SCANNED)(
  'a scan of the wallet: of %s it is %s that nothing is missing',
  (what, outcome) => {
    expect(scanned.get(what), JSON.stringify(scanned.get(what))).toMatchObject({ outcome });
  },
);

test('a scan of the wallet names what is missing, and says nothing without rows', () => {
  const [first, second] = ['a scan without a payment', 'a list'].map(
    (what) => scanned.get(what)?.detail,
  );
  expect(first).toMatch(/^missing 1: \w{80,}$/);
  expect(second).toContain(first?.slice('missing '.length));
  expect(scanned.get('without its 5 rows')).toMatchObject({ outcome: 'unknown' });
});

test('there are at least forty', () => {
  expect(FORGED.length + UNDECIDED.length).toBeGreaterThanOrEqual(40);
  expect(results.size).toBe(TABLE.flatMap(([, forgeries]) => forgeries).length);
});
