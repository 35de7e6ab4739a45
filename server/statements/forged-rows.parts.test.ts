import { beforeAll, describe, expect, test } from 'vitest';
import { TOKENS } from '@/devnet/client/pay-token';
import { WRAPPED_SOL } from '@quittance/verify/chain/programs';
import { makeKey, onChain } from '@/server/receipts/evidence.fixture';
import { type Verdict, verdictOf } from '@quittance/verify/receipts/verdict';
import { checkStatementProof } from '@quittance/verify/statements/statement-proof';
import { NO_LABELS } from '@quittance/verify/statements/statement-rows';
import {
  first,
  type Forge,
  index,
  mintedAs,
  nth,
  oneLegMore,
  openForger,
  scan,
  shown,
} from './forger.fixture';

type Forgery = [what: string, line: string, forge: Forge];

const LABELS = { ...NO_LABELS, serviceType: 'LABEL', transactionType: 'sale' };
/** The rows as JSON has them, where a stranger rewrote the first. */
const rewritten = (change: object): Forge =>
  shown(({ document }) => ({
    document: {
      ...document,
      transactions: document.transactions?.map((row, at) =>
        at === 0 ? { ...row, ...change } : row,
      ),
    },
  }));
const twoLegs: Forge = {
  rows: (rows) =>
    rows.flatMap((row, at) => (at === 0 ? [row, { ...row, leg: (row.leg ?? 0) + 1 }] : [row])),
};
/** The value of a euro of another rate, in rows, sums and metadata. */
const otherRate = nth(3, () => ({ usdMicros: 9_900_000n }));
const today = new Date().toISOString().slice(0, 10);
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
const [yesterday, now] = [inMinutes(-1440), inMinutes(5)];
const DUST = { decimals: 9, amount: 400n, amountSent: 400n };

const GENUINE: Forgery[] = [
  ['a statement', '', {}],
  // Which receipt a row has, and the rate of a day, are the word of the issuer and of its source.
  ['a row that names another receipt', '', first({ receiptId: '7K3MQ9XW2ABD', labels: LABELS })],
  ['a euro at another rate', '', otherRate],
  // A leg that is below the least value of the scan at any rate.
  [
    'a scan without dust in SOL',
    '',
    { ...scan(yesterday, now, 10_000n), ...oneLegMore(WRAPPED_SOL, DUST) },
  ],
  // The current root of the tree shows who holds it.
  ['an index with another holder', '', index(() => ({ owner: makeKey().publicKey }))],
  ['an index that calls it burnt', '', index(() => ({ burnt: true }))],
];

const FORGED: Forgery[] = [
  ['a row under two legs', 'rows_on_chain', twoLegs],
  [
    'a counterparty with what nobody sees',
    'rows_on_chain',
    nth(0, (row) => ({ counterparty: `${row.counterparty}\u200b` })),
  ],
  ['letters of another script in a symbol', 'rows_valued', first({ token: 'USD\u0421' })],
  [
    'another rate than the image was drawn of',
    'picture_of_facts',
    { ...otherRate, image: 'of another statement' },
  ],
  [
    'an NFT that takes royalties',
    'leaf_computed',
    mintedAs({ nft: { sellerFeeBasisPoints: 500 } }),
  ],
  ['an amount in another form', 'merkle_root', rewritten({ amount_raw: '0750000' })],
  ['a field more', 'merkle_root', rewritten({ note: 'audited' })],
  [
    'a value that is not the one of its raw form',
    'merkle_root',
    rewritten({ usd_amount: 750_000 }),
  ],
  [
    'a period that ends after the statement was issued',
    'rows_in_period',
    scan(yesterday, inMinutes(60), 0n),
  ],
  [
    'a scan without more than dust in EURC',
    'rows_whole',
    { ...scan(yesterday, now, 10_000n), ...oneLegMore(TOKENS.EURC.mint) },
  ],
  [
    'a period of another day',
    'rows_in_period',
    scan('2026-01-01T00:00:00.000Z', `${today}T00:00:00.000Z`, 0n),
  ],
];

const TABLE: [verdict: Verdict, forgeries: Forgery[]][] = [
  ['genuine', GENUINE],
  ['not genuine', FORGED],
];
const results = new Map<string, { verdict: Verdict; faults: string[] }>();

beforeAll(
  () =>
    onChain(async (rpcUrl) => {
      const forger = await openForger(rpcUrl);
      for (const [what, , forge] of TABLE.flatMap(([, forgeries]) => forgeries)) {
        const lines = checkStatementProof(await forger(forge));
        const faults = lines.flatMap(({ id, outcome }) => (outcome === 'held' ? [] : [id]));
        results.set(what, { verdict: verdictOf(lines), faults });
      }
    }),
  300_000,
);

describe.each(TABLE)('a statement is %s:', (verdict, forgeries) => {
  test.each(forgeries)('%s (%s)', (what, line) => {
    const result = results.get(what);
    expect(result, JSON.stringify(result)).toMatchObject({ verdict });
    if (line === '') expect(result?.faults).toEqual([]);
    else expect(result?.faults).toContain(line);
  });
});
