import { expect, it } from 'vitest';
import { judge, KINDS, PRICES, type Evidence } from './judge';
import { planBlows, planOneRound, VICTIMS } from './plan-blows';
import { createRandom } from './random';

const PRICE = 100_000n;
/** Three receipts and a statement. */
const ARRIVED = 3n * PRICE + 1_000_000n;

/** One request of each kind, without a fault. */
function clean(): Evidence {
  const purchases = KINDS.map((kind) => ({
    kind,
    payer: `payer-${kind}`,
    txSignature: `tx-${kind}`,
    receiptId: `r-${kind}`,
    trouble: null,
  }));
  const paid = purchases.filter(({ kind }) => kind !== 'free');
  return {
    purchases,
    receipts: purchases.map(({ kind, txSignature }) => ({
      id: `r-${kind}`,
      txSignature,
      metadataUri: `uri-${kind}`,
      status: 'completed',
    })),
    payments: paid.map(({ kind, payer }) => ({
      signature: `fee-${kind}`,
      payer,
      state: 'used',
      amountMicros: PRICES[kind],
      subjectId: `r-${kind}`,
    })),
    incoming: paid.map(({ kind, payer }) => ({
      signature: `fee-${kind}`,
      payer,
      amount: PRICES[kind],
    })),
    arrived: ARRIVED,
    nfts: new Map(purchases.map(({ kind }) => [`uri-${kind}`, 1])),
    minted: 5n,
  };
}

const zeros = { lost: 0, doubled: 0, unpaid: 0 };

it('finds nothing where there is no fault', () => {
  const { all, faults } = judge(clean());
  expect(faults).toEqual([]);
  expect(all).toEqual({ requests: 5, receipts: 5, nfts: 5, payments: 4, ...zeros });
});

const [r0, p0, i0] = [clean().receipts[1], clean().payments[0], clean().incoming[0]];
if (!r0 || !p0 || !i0) throw new Error('the clean evidence has them');

const FAULTS: [string, Partial<Evidence>, 'lost' | 'doubled' | 'unpaid'][] = [
  ['a receipt that is not there', { receipts: clean().receipts.slice(1) }, 'lost'],
  [
    'a second receipt beside the one in the answer',
    { receipts: [...clean().receipts, r0] },
    'doubled',
  ],
  [
    'a receipt without a request',
    { receipts: [...clean().receipts, { ...r0, txSignature: 'x' }] },
    'doubled',
  ],
  ['a missing NFT', { nfts: new Map([...clean().nfts].slice(1)) }, 'lost'],
  ['a second NFT', { nfts: new Map([...clean().nfts, ['uri-free', 2]]) }, 'doubled'],
  ['a leaf in an unknown wallet', { minted: 6n }, 'doubled'],
  ['a leaf less than there are NFTs', { minted: 4n }, 'lost'],
  [
    'a failed mint',
    { receipts: clean().receipts.map((one) => ({ ...one, status: 'failed' })) },
    'lost',
  ],
  [
    'a customer who was charged twice',
    { incoming: [...clean().incoming, { ...i0, signature: 'again' }], arrived: ARRIVED + PRICE },
    'doubled',
  ],
  ['a payment that the ledger does not know', { payments: clean().payments.slice(1) }, 'lost'],
  [
    'a payment that a process holds for ever',
    { payments: clean().payments.map((one) => ({ ...one, state: 'settled' })) },
    'lost',
  ],
  [
    'a payment that is not on the chain',
    { incoming: clean().incoming.slice(1), arrived: ARRIVED - PRICE },
    'unpaid',
  ],
  [
    'a payment used twice',
    { payments: clean().payments.map((one) => ({ ...one, subjectId: 'r-v1' })) },
    'doubled',
  ],
  ['money that did not arrive', { arrived: ARRIVED - PRICE }, 'unpaid'],
  ['money without a record', { arrived: ARRIVED + PRICE }, 'lost'],
];

it.each(FAULTS)('counts %s', (_, change, column) => {
  const { all, faults } = judge({ ...clean(), ...change });
  expect(all[column]).toBeGreaterThan(0);
  expect(faults.length).toBe(all.lost + all.doubled + all.unpaid);
});

it('counts a free request that was charged', () => {
  const bill = { signature: 'bill', payer: 'payer-free', amount: PRICE };
  const { byKind } = judge({ ...clean(), incoming: [...clean().incoming, bill] });
  expect(byKind.free.doubled).toBe(1);
});

it('counts a customer who got no receipt id, or a wrong one', () => {
  for (const receiptId of [null, 'r-other']) {
    const purchases = clean().purchases.map((one) => ({ ...one, receiptId }));
    expect(judge({ ...clean(), purchases }).all.lost).toBe(5);
  }
});

it('kills the same parts for the same seed, and each part once a round', () => {
  const first = (seed: number) => planOneRound(createRandom(seed));
  expect(first(7)).toEqual(first(7));
  expect(first(7)).not.toEqual(first(8));
  for (let seed = 0; seed < 50; seed += 1)
    expect(
      first(seed)
        .flatMap(({ victims }) => victims)
        .sort(),
    ).toEqual([...VICTIMS].sort());
  expect(planBlows(createRandom(7)).next().value).toEqual(first(7)[0]);
});
