import { describe, expect, test } from 'vitest';
import { interpretTransaction } from '@quittance/verify/chain/read-transfer';
import type { TransactionReading, Transfer } from '@quittance/verify/chain/transfer';
import { LEFT_OUT_REASONS } from '@quittance/verify/chain/movements';
import { movementsToStored, storedMovements } from '@/server/chain/stored-reading';
import { WRAPPED_SOL } from '@quittance/verify/chain/programs';
import { MadeTransaction, named, SOL, USDC } from '@/tests/harness/chain/made-transaction';
import { EURC, readMade, readRaw, transferOf } from '@/tests/harness/chain/read-made';
import { checkFacts } from '@quittance/verify/receipts/check-facts';
import { parseReceiptMetadata } from '@quittance/verify/receipts/describe-parse';
import { describeReceipt } from './describe-receipt';
import { makeFacts } from './facts.fixture';
import {
  besideFromStored,
  besideOf,
  besideToStored,
  legsOf,
} from '@quittance/verify/receipts/receipt-beside';
import type { ReceiptFacts } from './receipt-facts';

const IMAGE = 'https://gateway.example/9mCJx';

/** The facts of a transfer, in a receipt of the second template or of the first. */
function factsOf(transfer: Transfer, template: 1 | 2): ReceiptFacts {
  return makeFacts({
    txSignature: transfer.signature,
    slot: transfer.slot,
    blockTime: transfer.blockTime,
    payer: transfer.payer,
    seller: transfer.seller,
    mint: transfer.mint,
    tokenProgram: transfer.tokenProgram,
    decimals: transfer.decimals,
    amount: transfer.amount,
    amountSent: transfer.amountSent,
    feeWithheld: transfer.feeWithheld,
    otherLegs: legsOf(transfer),
    ...(template === 2 ? { beside: besideOf(transfer) } : {}),
  });
}

function check(facts: ReceiptFacts, payment: TransactionReading) {
  const reading = parseReceiptMetadata(describeReceipt(facts, IMAGE));
  if (!reading.ok) throw new Error(reading.why);
  const lines = checkFacts({ payment, network: 'mainnet', metadata: reading.metadata });
  return { lines, failing: lines.filter(({ outcome }) => outcome !== 'held').map(({ id }) => id) };
}

/**
 * 600 USDC to the seller and 1 SOL to a shop. The price of SOL decides which of them is the
 * transfer.
 */
const mixed = () =>
  new MadeTransaction({ feePayer: 'payer' })
    .account('payer usdc', { owner: 'payer', amount: 10_000_000_000n })
    .account('seller usdc', { owner: 'seller', amount: 0n })
    .send('payer usdc', 'seller usdc', 600_000_000n, { authority: 'payer' })
    .sendSol('payer', 'shop', SOL);

describe('a receipt of the second template', () => {
  test('lists the other movements of the transaction, and holds against the chain', () => {
    const sale = new MadeTransaction({ feePayer: 'payer', signers: ['seller'] })
      .mint('item', { decimals: 0 })
      .account('stock', { mint: 'item', owner: 'seller', amount: 1n })
      .open('shelf', { mint: 'item', owner: 'payer', payer: 'payer' })
      .send('stock', 'shelf', 1n, { authority: 'seller' })
      .sendSol('payer', 'seller', 9n * SOL)
      .sendSol('payer', 'market', SOL / 2n);
    const reading = readMade(sale);
    const facts = factsOf(transferOf(reading), 2);
    const text = Buffer.from(describeReceipt(facts, IMAGE)).toString('utf8');
    expect(text).toContain(`"Goods 1","value":"1 ${named('item')}"`);
    expect(text).toContain('rent_opened 0.00203928 SOL');
    expect(text).toContain('network_fee 0.000005 SOL');
    expect(check(facts, reading).failing).toEqual([]);
  });

  test('fails its line when it leaves out or invents other movements', () => {
    const reading = readMade(mixed());
    const facts = factsOf(transferOf(reading), 2);
    const beside = besideOf(transferOf(reading));
    const without = check({ ...facts, beside: { ...beside, leftOut: [] } }, reading);
    expect(without.failing).toEqual(['fact_beside']);
    const invented = { mint: named('item'), decimals: 0, amount: 1n };
    const more = check({ ...facts, beside: { ...beside, goods: [invented] } }, reading);
    expect(more.failing).toEqual(['fact_beside']);
    expect(check({ ...facts, otherLegs: [] }, reading).failing).toEqual(['fact_other_payees']);
  });

  test('names the prices of its choice; a checker without prices judges by them and says so', () => {
    const raw = mixed().raw();
    const facts = factsOf(transferOf(readRaw(raw)), 2);
    const unpriced = interpretTransaction(raw, { network: 'mainnet' });
    expect(unpriced).toMatchObject({ code: 'price_needed' });
    const { lines, failing } = check(facts, unpriced);
    expect(failing).toEqual([]);
    expect(lines.find(({ id }) => id === 'choice_explained')?.detail).toMatch(
      /^it depends on a market price.*SOL at 150 USD/,
    );
    const beside = besideOf(transferOf(readRaw(raw)));
    const prices = beside.prices.map((price) =>
      price.mint === null ? { ...price, usdPerUnit: { num: 10_000n, den: 1n } } : price,
    );
    const other = check({ ...facts, beside: { ...beside, prices } }, unpriced);
    expect(other.failing).toEqual(expect.arrayContaining(['fact_seller', 'fact_token']));
  });

  /**
   * The result of a check of the choice among 100 of the first mint and 10 of the second, to two
   * wallets.
   */
  const choiceOf = (first: string, second: string) => {
    const raw = new MadeTransaction({ feePayer: 'payer', lamports: 20n * SOL })
      .mint(first, { decimals: 6 })
      .mint(second, { decimals: 6 })
      .account('payer one', { mint: first, owner: 'payer', amount: 100_000_000n })
      .account('seller one', { mint: first, owner: 'seller', amount: 0n })
      .account('payer two', { mint: second, owner: 'payer', amount: 100_000_000n })
      .account('fees two', { mint: second, owner: 'fees', amount: 0n })
      .send('payer one', 'seller one', 100_000_000n, { authority: 'payer' })
      .send('payer two', 'fees two', 10_000_000n, { authority: 'payer' })
      .raw();
    const reading = readRaw(raw);
    const { lines } = check(factsOf(transferOf(reading), 2), reading);
    return lines.find(({ id }) => id === 'choice_explained')?.detail ?? '';
  };

  test('names no price where all tokens are at par, and an exchange rate for EURC', () => {
    const usdt = 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB';
    expect(choiceOf(USDC, usdt)).toBe('it depends on no market price and no exchange rate');
    expect(choiceOf(USDC, EURC)).toBe(
      `it depends on an exchange rate, as the issuer names it: ${EURC} at 1.1 USD (test)`,
    );
  });

  test('is stored and comes back as it was', () => {
    const beside = besideOf(transferOf(readMade(mixed())));
    expect(besideFromStored(JSON.parse(JSON.stringify(besideToStored(beside))))).toEqual(beside);
    expect(besideFromStored(null)).toBeNull();
  });

  test('is stored with any left-out movements, in the receipt and in the reading', () => {
    const transfer = transferOf(readMade(mixed()));
    const { movements } = readMade(mixed());
    const [one] = transfer.leftOut;
    if (!movements || !one) throw new Error('a fee is left out');
    const leftOut = LEFT_OUT_REASONS.map((reason) => ({ ...one, reason }));
    const beside = { ...besideOf(transfer), leftOut };
    expect(besideFromStored(besideToStored(beside))?.leftOut).toEqual(leftOut);
    const stored = movementsToStored({ ...movements, leftOut });
    expect(storedMovements.parse(stored).leftOut).toEqual(leftOut);
  });
});

describe('a receipt of the first template stays genuine', () => {
  test('for a token beside which SOL went to somebody else', () => {
    const raw = new MadeTransaction({ feePayer: 'payer', lamports: 20n * SOL })
      .account('payer usdc', { owner: 'payer', amount: 10_000_000n })
      .account('seller usdc', { owner: 'seller', amount: 0n })
      .send('payer usdc', 'seller usdc', 500_000n, { authority: 'payer' })
      .sendSol('payer', 'x', 10n * SOL)
      .raw();
    const reading = readRaw(raw);
    expect(transferOf(reading)).toMatchObject({ seller: named('x'), mint: null });
    const old = makeFacts({
      txSignature: transferOf(reading).signature,
      slot: transferOf(reading).slot,
      blockTime: transferOf(reading).blockTime,
      payer: named('payer'),
      seller: named('seller'),
      mint: USDC,
      amount: 500_000n,
      amountSent: 500_000n,
    });
    expect(check(old, reading).failing).toEqual([]);
    expect(check({ ...old, amount: 500_001n }, reading).failing).toEqual(['fact_amount']);
    expect(check({ ...old, mint: WRAPPED_SOL }, reading).failing).toContain('fact_seller');
  });

  test('for SOL that only made an account larger', () => {
    const tx = new MadeTransaction({ feePayer: 'payer' }).sendSol('payer', 'pda state', 445_440n);
    const reading = readMade(tx);
    expect(reading).toMatchObject({ code: 'not_a_payment' });
    const old = makeFacts({
      txSignature: reading.movements?.signature ?? '',
      slot: reading.movements?.slot ?? 0n,
      blockTime: reading.movements?.blockTime ?? new Date(0),
      payer: named('payer'),
      seller: named('pda state'),
      mint: null,
      tokenProgram: null,
      decimals: 9,
      amount: 445_440n,
      amountSent: 445_440n,
    });
    expect(check(old, reading).failing).toEqual([]);
  });
});
