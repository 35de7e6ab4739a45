import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { stubLocalStorage } from '../stub-local-storage.fixture';
import { forgetOrder, loadOrder, requestFor, saveOrder, type Order } from './order-store';

beforeEach(stubLocalStorage);
afterEach(() => vi.unstubAllGlobals());

const ORDER: Order = {
  request: { tx_signature: 'A', service_type: 'Rent' },
  wallet: 'W',
  proof: null,
  quote: { id: 'Q', priceRaw: '100000' },
  wire: null,
  receiptId: null,
  since: new Date().toISOString(),
};

test('the labels of an order are used for its own payment alone', () => {
  const request = { tx_signature: 'A', service_type: 'Rent', invoice_id: 'INV-1' };
  expect(requestFor({ request }, 'A')).toEqual(request);
  expect(requestFor({ request }, 'B')).toBeUndefined();
  expect(requestFor(undefined, null)).toBeUndefined();
});

test('a tab that ends its order leaves the order that another tab has kept since', () => {
  saveOrder(ORDER);
  const request = { ...ORDER.request, tx_signature: 'B' };
  const later = new Date(Date.now() - 1_000).toISOString();
  for (const own of [
    { ...ORDER, request },
    { ...ORDER, since: later },
  ]) {
    forgetOrder(own);
    expect(loadOrder()).toEqual(ORDER);
  }
  forgetOrder({ ...ORDER, wire: 'AA==' });
  expect(loadOrder()).toBeNull();
});
