import type { ErrorCode } from '@/server/errors';
import {
  errorBody,
  limitedBody,
  offerBody,
  offerHeader,
  priceRangeBody,
} from '@/server/rest/openapi/refusal-schemas';

/** A recorded answer, with the JSON of its body and of its PAYMENT-REQUIRED header. */
type Recorded = { status: number; body: unknown; paymentRequired: unknown };
type Parser = { safeParse: (value: unknown) => { success: boolean } };

/**
 * The error that readers meet first, of each status, and how its text reads where it fits the request best. Another
 * one stands in where it is not on record.
 */
const FIRST: Readonly<Record<number, { code: ErrorCode; text?: RegExp }>> = {
  400: { code: 'invalid_request', text: /service_type/ },
  401: { code: 'wallet_proof_missing', text: /free receipt/ },
  403: { code: 'not_a_participant' },
  404: { code: 'receipt_not_found', text: /receipt [0-9A-Z]{12}\./ },
  405: { code: 'method_not_allowed' },
  409: { code: 'mint_not_failed' },
  413: { code: 'body_too_large' },
  415: { code: 'unsupported_media_type' },
  503: { code: 'chain_unavailable' },
};

/** The refusals that the docs show, of answers in the order of preference. One without an answer is left out. */
export function pickRefusals(answers: readonly Recorded[]): Record<string, unknown> {
  const first = (status: number, schema: Parser, fits: (body: unknown) => boolean = () => true) =>
    answers.find(
      (one) => one.status === status && schema.safeParse(one.body).success && fits(one.body),
    );
  const errors = Object.entries(FIRST).flatMap(([key, { code, text }]) => {
    const status = Number(key);
    const has = (body: unknown) => entryOf(body, 'code') === code;
    const fits = (body: unknown) =>
      has(body) && text?.test(String(entryOf(body, 'error'))) !== false;
    const found = first(status, errorBody, fits) ?? first(status, errorBody, has);
    return found ? [[key, found.body] as const] : [];
  });
  const paid = answers.filter((one) => offerHeader.safeParse(one.paymentRequired).success);
  const offer = paid.find((one) => offerBody.safeParse(one.body).success);
  const picked = {
    limited: first(429, limitedBody)?.body,
    offer: offer?.body,
    offerInHeader: offer?.paymentRequired,
    priceRange: paid.find((one) => priceRangeBody.safeParse(one.body).success)?.body,
  };
  return {
    ...(errors.length > 0 && { errors: Object.fromEntries(errors) }),
    ...Object.fromEntries(Object.entries(picked).filter(([, one]) => one !== undefined)),
  };
}

function entryOf(body: unknown, name: 'code' | 'error'): unknown {
  return typeof body === 'object' && body !== null ? Reflect.get(body, name) : null;
}
