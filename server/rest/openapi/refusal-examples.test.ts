import { describe, expect, it } from 'vitest';
import { ERRORS } from '@/server/errors';
import { REFUSAL_EXAMPLES } from './refusal-examples';
import { errorBody, limitedBody, offerBody, offerHeader, priceRangeBody } from './refusal-schemas';

const { errors, limited, offer, offerInHeader, priceRange } = REFUSAL_EXAMPLES;
/** 402 and 429 have bodies of their own. No test makes the service fail inside, so there is no 500. */
const STATUSES = [...new Set(Object.values(ERRORS).map(({ status }) => status))].filter(
  (status) => ![402, 429, 500].includes(status),
);

describe('the examples of refusals, which scripts/pick-examples.ts adds', () => {
  it.each(STATUSES)('have one of a %s that leads to its entry on /docs', (status) => {
    const { code, docs, status_code } = errorBody.strict().parse(errors[status]);
    expect([ERRORS[code].status, status_code]).toEqual([status, status]);
    expect(docs).toBe(`https://quittance.example/docs#error-${code}`);
  });

  it('have a 429, a sentence alone', () => {
    expect(limitedBody.strict().safeParse(limited).error).toBeUndefined();
  });

  it('have a 402 in all of its forms, which name one price, wallet and memo', () => {
    const { quote, paymentRequirements, accepts } = offerBody.strict().parse(offer);
    const { accepts: ofHeader } = offerHeader.parse(offerInHeader);
    const [plain, v1, v2] = [paymentRequirements.accepts[0], accepts[0], ofHeader[0]];
    expect([plain?.extra.memo, v1?.extra.memo, v2?.extra.memo]).toEqual(Array(3).fill(quote.id));
    expect([v1?.maxAmountRequired, v2?.amount]).toEqual(Array(2).fill(plain?.maxAmount));
    expect([v1?.payTo, v2?.payTo]).toEqual(Array(2).fill(plain?.payTo));
  });

  it('have the price range, which opens no quote', () => {
    expect(priceRangeBody.strict().safeParse(priceRange).error).toBeUndefined();
  });
});
