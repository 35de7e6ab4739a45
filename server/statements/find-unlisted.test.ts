import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { WRAPPED_SOL } from '@quittance/verify/chain/programs';
import type { RawTransaction } from '@quittance/verify/chain/raw-transaction';
import { interpretTransaction } from '@quittance/verify/chain/read-transfer';
import type { CheckLine } from '@quittance/verify/receipts/check-line';
import type { Places } from '@quittance/verify/receipts/look-up-proof';
import { checkComplete } from '@quittance/verify/statements/find-unlisted';
import type { StatementProof } from '@quittance/verify/statements/statement-proof';
import { presentRow, sumRows } from '@quittance/verify/statements/statement-rows';
import { encodeTags } from '@quittance/verify/storage/encode-tags';
import { writeItem } from '@quittance/verify/storage/item-format';
import {
  BLOCK_TIME,
  MadeTransaction,
  named,
  SOL,
  USDC,
} from '../../tests/harness/chain/made-transaction';
import { describeStatement, type StatementFacts } from './describe-statement';
import { makeRow, signatureOf } from './list.fixture';

const JUPITER = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4';
const [LISTED, OTHER] = [signatureOf('listed'), signatureOf('other')];
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const at = (later: number) => new Date(BLOCK_TIME * 1000 + later);
const day = (time: Date) => time.toISOString().slice(0, 10);

const row = makeRow(0, { txSignature: LISTED });
type Period = NonNullable<StatementFacts['period']>;

/** A scan of a day that ended an hour after the payments of these tests, made a week later. */
function factsOf(change: Partial<StatementFacts> = {}, period: Partial<Period> = {}) {
  const whole = { from: at(-DAY), until: at(60 * MINUTE), minMicros: 10_000n, ...period };
  const facts: StatementFacts = {
    statementId: 'STMT7K3MQ9XW',
    issuedAt: new Date(whole.until.getTime() + 7 * DAY),
    network: 'local',
    publicUrl: 'https://receipts.example',
    wallet: named('payer'),
    mode: 'scan',
    firstDay: day(whole.from),
    lastDay: day(whole.until),
    period: whole,
    complete: true,
    totals: sumRows([row]),
    csvSha256: 'ab'.repeat(32),
    merkleRoot: 'cd'.repeat(32),
    ...change,
  };
  return describeStatement(facts, 'https://gateway.example/image');
}
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

type History = { raw: RawTransaction; signature?: string; isTimed?: boolean }[];
const whole: History = [{ raw: payment, signature: LISTED }];

/** A node whose histories have these transactions, all in that of the wallet. */
function nodeWith(history: History): Pick<Places, 'rpc' | 'network'> {
  const lines = history.map(({ raw, signature = OTHER, isTimed = true }) => ({
    signature,
    slot: BigInt(raw.slot),
    blockTime: isTimed ? new Date((raw.blockTime ?? 0) * 1000) : null,
    failed: false,
    final: true,
    blockIndex: null,
    memo: null,
  }));
  const transactionOf = (wanted: string): RawTransaction | null => {
    const raw = history.find(({ signature = OTHER }) => signature === wanted)?.raw;
    if (!raw || Array.isArray(raw.transaction)) return null;
    return { ...raw, transaction: { ...raw.transaction, signatures: [wanted] } };
  };
  return {
    network: 'local',
    rpc: {
      getTransaction: (signature) => Promise.resolve(transactionOf(signature)),
      getSignatureStatuses: () => Promise.resolve([null]),
      getAccountInfo: () => Promise.resolve(null),
      getSignaturesForAddress: (address, { before }) =>
        Promise.resolve(address === named('payer') && before === undefined ? lines : []),
      getBlock: () => Promise.resolve(null),
      getOwnedAccounts: () => Promise.resolve([]),
      getGenesisHash: () => Promise.resolve(''),
    },
  };
}

function documentOf(metadata: Uint8Array): StatementProof {
  const none = new Uint8Array(0);
  const item = writeItem(
    {
      signature: new Uint8Array(64),
      owner: new Uint8Array(32),
      target: none,
      anchor: none,
      tagBytes: encodeTags([]),
      data: metadata,
    },
    0,
  );
  const file = { item_id: '', uri: '', sha256: '', item: Buffer.from(item).toString('base64') };
  return {
    success: true,
    network: 'local',
    issuer_url: '',
    metadata: file,
    image: file,
    mint_signature: '',
    asset_id: '',
    tree: '',
    leaf_index: 0,
    creator: '',
    leaf: {
      owner: '',
      delegate: '',
      nonce: 0,
      data_hash: '',
      creator_hash: '',
      collection_hash: '',
      asset_data_hash: '',
      flags: 0,
      hash: '',
    },
    holder: null,
    root: null,
    proof: null,
    statement_id: 'STMT7K3MQ9XW',
    transactions: [presentRow(row)],
  };
}

const check = (metadata: Uint8Array, history: History): Promise<CheckLine> =>
  checkComplete({ document: documentOf(metadata), ...nodeWith(history) });

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

  it('does not tell a swap without prices from the payment of its fee', async () => {
    expect(interpretTransaction(swap, { network: 'local' })).toMatchObject({
      code: 'price_needed',
    });
    expect(await check(factsOf(), [...whole, { raw: swap }])).toMatchObject({
      outcome: 'unknown',
      detail: `not checked: of these it cannot be told, 1: ${OTHER}`,
    });
  });

  it('does not judge a scan of the first template, which names neither instants nor least value', async () => {
    const line = await check(byFirstTemplate(factsOf()), [...whole, { raw: payment }]);
    expect(line).toMatchObject({ outcome: 'unknown' });
    expect(line.detail).toContain(
      'its template names neither the instants of the period nor the least value',
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
      return (await check(metadata, [...whole, { raw: payment }])).outcome;
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
