import { beforeEach, describe, expect, it } from 'vitest';
import { issueAutomaticReceipt } from '@/server/use-cases/receipts/issue-automatic-receipt';
import { interpretTransaction } from '@quittance/verify/chain/read-transfer';
import { WRAPPED_SOL } from '@quittance/verify/chain/programs';
import { storeTransferReadings } from '@/server/chain/stored-reading';
import { MadeTransaction, named, SOL, USDC } from '@/tests/harness/chain/made-transaction';
import {
  type TransactionReading,
  walletLegs,
  withFinality,
} from '@quittance/verify/chain/transfer';
import type { ServiceContext } from '@/server/context';
import { selectLegs } from '@/server/statements/select-legs';
import { signatureOf } from '@/server/statements/list.fixture';
import { trusted } from '@/server/trusted';
import { priceReading } from './price-readings';
import { openRates, refusal } from './rate-server.fixture';

const EURC = 'HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr';
const RAYDIUM = '675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8';
const [ME, SHOP, THIRD] = [named('me'), named('shop'), named('third')];
/** The day of all made transactions. Neither it nor the days before it have a price of SOL here. */
const DAY = '2025-05-12';

const rates = openRates();
beforeEach(async () => {
  await rates.db.transactionPrice.deleteMany();
  await rates.db.readTransfer.deleteMany();
  await rates.db.autoTransfer.deleteMany();
});

/** 10 USDC to a shop and 2 SOL to another. */
const mixed = () =>
  new MadeTransaction({ feePayer: ME })
    .wallet(THIRD, SOL)
    .account('mine', { owner: ME, amount: 90_000_000n })
    .account('of shop', { owner: SHOP, amount: 0n })
    .send('mine', 'of shop', 10_000_000n, { authority: ME })
    .sendSol(ME, THIRD, 2n * SOL);
/** 10 USDC through an exchange that gives SOL to a shop: a payment only at some prices. */
const exchanged = () =>
  new MadeTransaction({ feePayer: ME })
    .mint(WRAPPED_SOL, { decimals: 9 })
    .account('mine', { owner: ME, amount: 90_000_000n })
    .account('pool usdc', { owner: 'pda pool', amount: 0n })
    .account('pool sol', { mint: WRAPPED_SOL, owner: 'pda pool', amount: 9n * SOL })
    .account('shop sol', { mint: WRAPPED_SOL, owner: SHOP, amount: 0n })
    .add(RAYDIUM, ['pool usdc', 'pool sol'], [9])
    .send('mine', 'pool usdc', 10_000_000n, { authority: ME, by: RAYDIUM })
    .send('pool sol', 'shop sol', SOL / 15n, { authority: 'pda pool', by: RAYDIUM });
/** EURC and SOL to one shop: two prices are needed. */
const twoPrices = () =>
  new MadeTransaction({ feePayer: ME })
    .wallet(SHOP, SOL)
    .account('mine', { mint: EURC, owner: ME, amount: 90_000_000n })
    .account('of shop', { mint: EURC, owner: SHOP, amount: 0n })
    .send('mine', 'of shop', 10_000_000n, { authority: ME })
    .sendSol(ME, SHOP, 2n * SOL);

/** A transaction that was read from the chain and stored. */
async function happened(name: string, made: MadeTransaction) {
  const read = interpretTransaction(made.raw(), { network: 'local' });
  const { movements } = read;
  if (!movements) throw new Error('nothing moved');
  const signature = signatureOf(name);
  const reading: TransactionReading = withFinality(
    { ...read, movements: { ...movements, signature } },
    'finalized',
  );
  const { slot, blockTime } = movements;
  const one = { signature, reading, slot, blockTime };
  await storeTransferReadings(service(), [one]);
  return { ...one, isFinal: true };
}

const service = () =>
  trusted<ServiceContext>(
    { ...rates.ctx, rpc: {}, clock: { now: () => new Date('2026-03-01T12:00:00Z') } },
    'what is kept needs no node, and what is skipped writes nothing',
  );

describe('a transaction whose transfer depends on a price that was never published', () => {
  it('is refused permanently, and not only until the source is up again', async () => {
    const { reading } = await happened('mixed', mixed());
    const priced = await priceReading(rates.ctx, reading);
    expect(priced).toMatchObject({ ok: false, code: 'rate_not_covered' });
    expect(priced.ok ? '' : priced.detail).toContain(DAY);
    // The very same, while the source is down, is to be asked again.
    rates.sources.fails = 503;
    expect(await refusal(priceReading(rates.ctx, reading))).toMatchObject({
      code: 'rates_unavailable',
      status: 503,
    });
  });

  it('is refused as well where one of two prices is known, which is kept all the same', async () => {
    rates.sources.ecb = { [DAY]: { USD: '1.1' } };
    const { reading } = await happened('two', twoPrices());
    const priced = await priceReading(rates.ctx, reading);
    expect(priced).toMatchObject({ code: 'rate_not_covered', areLegsSure: true });
    expect(await rates.db.transactionPrice.findMany()).toMatchObject([{ mint: EURC }]);
  });

  it('still shows in lists what each wallet gave and got', async () => {
    const { reading } = await happened('mixed', mixed());
    const found = walletLegs(await priceReading(rates.ctx, reading), SHOP);
    expect(found).toMatchObject({ rows: [{ mint: USDC, amount: 10_000_000n, role: 'seller' }] });
  });

  it('is a row and a skipped leg in a statement, which add up to the change of the balances', async () => {
    const one = await happened('mixed', mixed());
    const options = { wallet: ME, transactions: [one], minMicros: 10_000n };
    const { rows, skipped, changes } = await selectLegs(service(), options);
    expect(rows).toMatchObject([{ signature: one.signature, usdMicros: 10_000_000n }]);
    expect(skipped).toEqual({ rate_not_covered: [one.signature] });
    expect(changes.skipped).toEqual({
      rate_not_covered: [{ mint: null, decimals: 9, raw: -2n * SOL }],
    });
  });

  it('is skipped as a whole where only the price decides whether it is a payment', async () => {
    const one = await happened('exchanged', exchanged());
    const options = { wallet: ME, transactions: [one], minMicros: 10_000n };
    const { rows, skipped, changes } = await selectLegs(service(), options);
    expect([rows, skipped]).toEqual([[], { rate_not_covered: [one.signature] }]);
    expect(changes.skipped).toEqual({
      rate_not_covered: [{ mint: USDC, decimals: 6, raw: -10_000_000n }],
    });
  });

  it('ends without an automatic receipt, for this reason; with the source down it waits', async () => {
    const { signature: txSignature } = await happened('mixed', mixed());
    const at = new Date('2026-03-01T11:00:00Z');
    await rates.db.autoTransfer.create({
      data: { txSignature, state: 'noted', lookAt: at, createdAt: at, updatedAt: at },
    });
    const issue = () => issueAutomaticReceipt(service(), { txSignature, holder: 'a test' });
    rates.sources.fails = 503;
    expect(await issue()).toEqual({ state: 'wait', reason: 'rates_unavailable' });
    rates.sources.fails = null;
    expect(await issue()).toEqual({ state: 'done' });
    expect(await rates.db.autoTransfer.findUnique({ where: { txSignature } })).toMatchObject({
      state: 'skipped',
      reason: 'rate_not_covered',
    });
  });
});
