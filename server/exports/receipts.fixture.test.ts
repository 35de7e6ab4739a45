import { expect, test } from 'vitest';
import { makeWallet } from '@/devnet/client/wallet';
import { RECEIPT_ID } from '@/server/ids';
import { filledId } from './receipts.fixture';

test('filled receipts of different wallets share no id, and each id is valid', () => {
  const ids = Array.from({ length: 300 }, () => filledId(makeWallet().address, 999_999));
  expect(new Set(ids).size).toBe(300);
  for (const id of ids) expect(id).toMatch(RECEIPT_ID);
});
