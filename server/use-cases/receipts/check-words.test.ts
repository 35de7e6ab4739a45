import { expect, it } from 'vitest';
import { wordsBody } from '../web-schemas';
import { checkWords } from './check-words';

it('gives for each entry that was sent the text that is written, or why it is refused', () => {
  const input = {
    service_type: ' Cafe\u0301\u200b ',
    transaction_type: 'x'.repeat(33),
    invoice_id: 'papyrus 𓀀',
    business_name: 'Example.com',
  };
  const body = checkWords({ input });
  expect(wordsBody.parse(body)).toEqual({
    service_type: { text: 'Café' },
    transaction_type: { refusal: { code: 'too_long', most: 32, length: 33 } },
    invoice_id: { refusal: { code: 'no_glyph', found: '𓀀 [U+13000]' } },
    // Shown on our pages alone, so it may be a site.
    business_name: { text: 'Example.com' },
  });
  expect(wordsBody.parse(checkWords({ input: { service_type: 'Tea' } }))).toEqual({
    service_type: { text: 'Tea' },
  });
});
