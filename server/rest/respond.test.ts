import { describe, expect, it } from 'vitest';
import { type ErrorCode, ERRORS, ServiceError } from '@/server/errors';
import { codes, codesOf } from './operations/operation';
import { refusal } from './respond';

const publicUrl = 'https://quittance.test';
const ask = async (code: ErrorCode) => {
  const response = refusal(new ServiceError(code, 'Words.', { details: { a: 1 } }), {
    requestId: 'req-1',
    publicUrl,
  });
  return { link: response.headers.get('link'), body: await response.json() };
};
const entryOf = (code: ErrorCode) => `https://quittance.test/docs#error-${code}`;

describe('a refusal leads to its entry on /docs', () => {
  it.each(codes().filter((code) => ![402, 429].includes(ERRORS[code].status)))(
    'in its body and its Link header: %s',
    async (code) => {
      const { link, body } = await ask(code);
      expect(link).toBe(`<${entryOf(code)}>; rel="help"`);
      expect(body).toEqual({
        success: false,
        error: 'Words.',
        status_code: ERRORS[code].status,
        code,
        request_id: 'req-1',
        docs: entryOf(code),
        details: { a: 1 },
      });
    },
  );

  it.each(codesOf(402))('beside the offer of a 402: %s', async (code) => {
    const { link, body } = await ask(code);
    expect(link).toBe(`<${entryOf(code)}>; rel="help"`);
    expect(body).toEqual({ a: 1, code, request_id: 'req-1', docs: entryOf(code) });
  });

  it.each(codesOf(429))(
    'in the header alone of a 429, whose body is a sentence: %s',
    async (code) => {
      const { link, body } = await ask(code);
      expect(link).toBe(`<${entryOf(code)}>; rel="help"`);
      expect(body).toEqual({ error: 'Words.' });
    },
  );
});
