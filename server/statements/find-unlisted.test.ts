import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { WRAPPED_SOL } from '@quittance/verify/chain/programs';
import type { RawTransaction } from '@quittance/verify/chain/raw-transaction';
import { interpretTransaction } from '@quittance/verify/chain/read-transfer';
import type { CheckLine } from '@quittance/verify/receipts/check-line';
import { checkComplete } from '@quittance/verify/statements/find-unlisted';
import {
  BLOCK_TIME,
  MadeTransaction,
  named,
  SOL,
  USDC,
} from '../../tests/harness/chain/made-transaction';
import {
  at,
  DAY,
  documentOf,
  factsOf,
  type History,
  LISTED,
  MINUTE,
  nodeWith,
  OTHER,
} from './scan.fixture';

const JUPITER = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4';
const asList = () => factsOf({ mode: 'list', period: null });

const json = z.looseObject({ attributes: z.array(z.object({ trait_type: z.string() }).loose()) });
const LATER = ['Period', 'Least', 'Accounts', 'Template'];
/** The same by the first template, which had no such traits. */
function byFirstTemplate(metadata: Uint8Array): Uint8Array {
  const { attributes, ...rest } = json.parse(JSON.parse(new TextDecoder().decode(metadata)));
  const kept = attributes.filter((one) => !LATER.some((word) => one.trait_type.startsWith(word)));
  return Buffer.from(JSON.stringify({ ...rest, attributes: kept }));
}

/** A payment of this many base units of USDC. */
const paid = (amount: bigint) =>
  new MadeTransaction({ feePayer: 'payer' })
    .account('payer usdc', { owner: 'payer', amount })
    .account('seller usdc', { owner: 'seller', amount: 0n })
    .send('payer usdc', 'seller usdc', amount, { authority: 'payer' });
const payment = paid(1_000_000n).raw();

/** The payer swaps USDC for SOL at an exchange that takes a fee. */
const swap = new MadeTransaction({ feePayer: 'payer' })
  .mint(WRAPPED_SOL, { decimals: 9 })
  .account('payer usdc', { owner: 'payer', amount: 1_000_000_000n })
  .account('pool usdc', { owner: 'pda pool', amount: 9_000_000_000n })
  .account('pool sol', { mint: WRAPPED_SOL, owner: 'pda pool', amount: 90n * SOL })
  .account('fee usdc', { owner: 'pda fees', amount: 0n })
  .open('purse', { mint: WRAPPED_SOL, owner: 'payer', payer: 'payer' })
  .add(JUPITER, ['pool usdc', 'pool sol', 'payer'], [1])
  .send('payer usdc', 'pool usdc', 148_500_000n, { authority: 'payer', by: JUPITER })
  .send('pool sol', 'purse', SOL, { authority: 'pda pool', by: JUPITER })
  .send('payer usdc', 'fee usdc', 1_500_000n, { authority: 'payer', by: JUPITER })
  .close('purse', 'payer', 'payer')
  .raw();

const whole: History = [{ raw: payment, signature: LISTED }];

const check = (metadata: Uint8Array, history: History): Promise<CheckLine> =>
  checkComplete({ document: documentOf(metadata), mintedAt: null, ...nodeWith(history) });

describe('a scan of the wallet of a statement', () => {
  it('finds nothing more, or what a scan lacks; a list may leave it out', async () => {
    const more = [...whole, { raw: payment }];
    expect(await check(factsOf(), whole)).toMatchObject({ outcome: 'held' });
    expect(await check(factsOf(), more)).toMatchObject({
      outcome: 'failed',
      detail: `missing 1: ${OTHER}`,
    });
    expect(await check(asList(), more)).toMatchObject({ outcome: 'held' });
  });

  it('does not distinguish a swap without prices from the payment of its fee', async () => {
    expect(interpretTransaction(swap, { network: 'local' })).toMatchObject({
      code: 'price_needed',
    });
    expect(await check(factsOf(), [...whole, { raw: swap }])).toMatchObject({
      outcome: 'unknown',
      detail: `not checked: a scan may lack one whose kind or value depends on a price, 1: ${OTHER}`,
    });
    // A list may leave out a payment, so it does not matter whether this is one.
    expect(await check(asList(), [...whole, { raw: swap }])).toMatchObject({
      outcome: 'held',
      detail: expect.stringContaining(`a list need not name 1: ${OTHER}`) as string,
    });
  });

  it('does not judge a scan of the first template, which names neither instants nor least value', async () => {
    const line = await check(byFirstTemplate(factsOf()), [...whole, { raw: payment }]);
    expect(line).toMatchObject({ outcome: 'unknown' });
    expect(line.detail).toContain(
      'its template names neither the exact times of the period nor the least value',
    );
  });

  it('names what is missing where the statement says that not all accounts were searched', async () => {
    const line = await check(factsOf({ complete: false }), [...whole, { raw: payment }]);
    expect(line).toMatchObject({ outcome: 'unknown' });
    expect(line.detail).toContain(`not all accounts were searched`);
    expect(line.detail).toContain(OTHER);
  });

  it('does not miss a payment that was not final yet when the scan was made', async () => {
    const outcomeOf = async (left: number, issuedAfter: number) => {
      const until = at(left);
      const issuedAt = new Date(until.getTime() + issuedAfter);
      const metadata = factsOf({ issuedAt }, { until });
      const { outcome, detail } = await check(metadata, [...whole, { raw: payment }]);
      if (outcome === 'unknown') expect(detail).toContain('the last 2 minutes of a period');
      return outcome;
    };
    expect(await outcomeOf(MINUTE, 60 * MINUTE)).toBe('unknown');
    expect(await outcomeOf(3 * MINUTE, 60 * MINUTE)).toBe('failed');
    expect(await outcomeOf(MINUTE, 25 * 60 * MINUTE)).toBe('failed');
  });

  it('goes by the time of the transaction where a history has none', async () => {
    const early = paid(1_000_000n).raw({ blockTime: BLOCK_TIME - (2 * DAY) / 1000 });
    const history = (raw: RawTransaction) => [...whole, { raw, isTimed: false }];
    expect(await check(factsOf(), history(early))).toMatchObject({ outcome: 'held' });
    expect(await check(factsOf(), history(payment))).toMatchObject({ outcome: 'failed' });
  });

  it('misses no leg that is larger than any real amount', async () => {
    const largest = paid(2n ** 63n - 1n).raw();
    const larger = paid(2n ** 63n).raw();
    expect(await check(factsOf(), [...whole, { raw: larger }])).toMatchObject({ outcome: 'held' });
    expect(await check(factsOf(), [...whole, { raw: largest }])).toMatchObject({
      outcome: 'failed',
    });
  });

  it.each([
    ['scan', factsOf],
    ['list', asList],
  ])('shows nothing of a %s where the node lacks a payment that is listed', async (_, metadata) => {
    const line = await check(metadata(), []);
    expect(line).toMatchObject({ outcome: 'unknown' });
    expect(line.detail).toContain(`lack listed ones, 1: ${LISTED}`);
  });
});

it('is of payments in the dollar that the table has', () => {
  expect(interpretTransaction(payment, { network: 'local' })).toMatchObject({
    ok: true,
    transfer: { mint: USDC, payer: named('payer'), amount: 1_000_000n },
  });
});
