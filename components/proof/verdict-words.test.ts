import { NOT_PROVABLE } from '@quittance/verify/receipts/verdict';
import { createTranslator } from 'next-intl';
import { expect, test } from 'vitest';
import proof from '@/messages/en/proof.json';
import { checkAgainIn, verdictWords } from './verdict-words';

const t = createTranslator({ locale: 'en', messages: { proof }, namespace: 'proof' });
const CUT = {
  state: 'checked',
  verdict: 'could not be checked',
  partial: { checked: 100, of: 250 },
} as const;
const OPEN = { state: 'checked', verdict: 'could not be checked', partial: null } as const;
const GENUINE = { state: 'checked', verdict: 'genuine', partial: null } as const;
const NOT_YET = { state: 'not_yet', verdict: null, partial: null } as const;
const o = { state: 'completed', failed: 'It failed.', refusal: null } as const;

test('a check that can never read all payments says so and is not repeated', () => {
  const words = verdictWords(t, { ...o, checked: CUT });
  expect(words.title).toBe('Could not be checked');
  expect(words.text).toBe(
    '100 of 250 payments were checked here. Run the verifier for all of them.',
  );
  expect(words.mayChange).toBeUndefined();
  expect(checkAgainIn({ data: CUT, error: null })).toBe(false);
});

test('an unfinished check is repeated', () => {
  expect(verdictWords(t, { ...o, checked: OPEN }).text).toContain('tries again every 15 seconds');
  expect(checkAgainIn({ data: OPEN, error: null })).toBe(15_000);
  expect(checkAgainIn({ data: undefined, error: new Error('no answer') })).toBe(15_000);
  expect(checkAgainIn({ data: GENUINE, error: null })).toBe(false);
});

test('a known verdict stays when a later check gets no answer', () => {
  const words = verdictWords(t, { ...o, checked: GENUINE, refusal: 'No answer.' });
  expect(words.text).toBe('Every check of the chain and the signed files held.');
  expect(verdictWords(t, { ...o, checked: undefined, refusal: 'No answer.' }).text).toBe(
    'No answer.',
  );
});

test('a mint that restarted after the page was opened is not checked for ever', () => {
  const words = verdictWords(t, { ...o, checked: NOT_YET });
  expect(words.title).toBe('Being recorded on Solana');
  expect(checkAgainIn({ data: NOT_YET, error: null })).toBe(15_000);
});

test('a receipt whose proof could not be made shows its state', () => {
  const words = verdictWords(t, { ...o, state: 'failed', checked: undefined });
  expect([words.title, words.text]).toEqual(['Not recorded on Solana', 'It failed.']);
});

test('the page lists unprovable facts in the words of the verifier', () => {
  const { title, ...listed } = proof.evidence.notProvable;
  expect(title).toBe('Not provable by anyone');
  expect(Object.values(listed)).toEqual(NOT_PROVABLE);
});
