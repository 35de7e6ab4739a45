import { expect, test } from 'vitest';
import { requestFor } from './order-store';

test('the labels of an order are for its own payment alone', () => {
  const request = { tx_signature: 'A', service_type: 'Rent', invoice_id: 'INV-1' };
  expect(requestFor({ request }, 'A')).toEqual(request);
  expect(requestFor({ request }, 'B')).toBeUndefined();
  expect(requestFor(undefined, null)).toBeUndefined();
});
