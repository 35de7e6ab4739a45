import { describe, expect, it, vi } from 'vitest';
import { type PackedReceipt, unpackReceipt } from './unpack-receipt';
import { ROWS } from './rows.fixture';

const row = ROWS[0] ?? expect.fail('the fixture has a row');

/** The row as the database packs it, with further legs. */
function packed(otherLegs: { owner: string; amount: string }[]): PackedReceipt {
  const text = (one: unknown) => (typeof one === 'bigint' ? one.toString() : one);
  const facts = { ...row, otherLegs, prices: null, labelsHidden: false };
  return {
    receiptId: 'ABCDEFGH0001',
    blockTimeMs: row.blockTime.getTime(),
    slot: row.slot,
    blockIndex: 0,
    mint: row.mint,
    valuation: row.valuation,
    packed: JSON.stringify(facts, (_key, one) => text(one)),
  };
}

function unpack(wallet: string, otherLegs: { owner: string; amount: string }[] = []) {
  const priceOf = vi.fn(() => null);
  const o = { wallet, network: 'local', localOf: () => row.local, priceOf } as const;
  return { rows: unpackReceipt(packed(otherLegs), o), priceOf };
}

describe('a receipt in an export', () => {
  it('is a row with all its fields and no others, as the payer or the seller sees it', () => {
    expect(unpack(row.payer).rows).toStrictEqual([
      { ...row, direction: 'sent', counterparty: row.seller },
    ]);
    expect(unpack(row.seller).rows).toStrictEqual([
      { ...row, direction: 'received', counterparty: row.payer },
    ]);
  });

  it('asks for the price of its day only for a further leg of the wallet', () => {
    const legs = [{ owner: 'Fees', amount: '100' }];
    expect(unpack(row.payer).priceOf).not.toHaveBeenCalled();
    expect(unpack(row.seller, legs).priceOf).not.toHaveBeenCalled();
    const { rows, priceOf } = unpack(row.payer, legs);
    expect(rows.map(({ seller, amountRaw }) => [seller, amountRaw])).toEqual([
      [row.seller, row.amountRaw],
      ['Fees', 100n],
    ]);
    expect(priceOf).toHaveBeenCalledOnce();
  });
});
