import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { stubLocalStorage } from '../stub-local-storage.fixture';
import { forgetUnderway, loadUnderway, saveUnderway } from './underway-store';

beforeEach(stubLocalStorage);
afterEach(() => {
  vi.unstubAllGlobals();
});

const mine = { quoteId: 'mine', wire: 'AQ==', wallet: 'W', landsUntil: '9' };

test('keeps the payment of another tab when an own one is decided', () => {
  saveUnderway(mine);
  saveUnderway({ ...mine, quoteId: 'other' });
  forgetUnderway(new Set(['mine']));
  expect(loadUnderway()).toEqual({ ...mine, quoteId: 'other' });
  forgetUnderway(new Set(['mine', 'other']));
  expect(loadUnderway()).toBeNull();
});

test('removes an entry that nothing can read', () => {
  localStorage.setItem('quittance-statement', '{');
  expect(loadUnderway()).toBeNull();
  forgetUnderway(new Set());
  expect(localStorage.getItem('quittance-statement')).toBeNull();
});
