import examples from './example-refusals.json' with { type: 'json' };

/** Refusals that the tests got; scripts/pick-examples.ts writes them. */
export const REFUSAL_EXAMPLES: {
  /** By status, all but 402 and 429. */
  errors: Readonly<Record<string, unknown>>;
  /** The 429, a sentence alone. */
  limited: unknown;
  /** The 402 with an offer, what its PAYMENT-REQUIRED header holds, and the one without a request. */
  offer: unknown;
  offerInHeader: unknown;
  priceRange: unknown;
} = examples;
