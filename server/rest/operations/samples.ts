/**
 * Values that the docs and the API description show. The transaction is a payment of 604.21 USDC on mainnet
 * (`tests/corpus`, usdc-checked-legacy-c) and the wallets are its payer and seller. The ids are made up.
 */
export const SAMPLES = {
  TX_SIGNATURE:
    '26iHkXApLhvhrPc8fNJJbMscvxmLBE5hvbKuubuhXTmp8gKEZwwWhoPFsukLSvvunJbFbR16sY7GEP1WQaHpuPEp',
  WALLET: 'GyJQg9rkctbtn5RqL8mSQ5x11VU5aTLWQRLW3xZVjSuT',
  COUNTERPARTY: '9un5wqE3q4oCjyrDkwsdD48KteCJitQX5978Vh7KKxHo',
  PERIOD_START: '2026-01-01T00:00:00Z',
  PERIOD_END: '2026-01-31T23:59:59Z',
  RECEIPT_ID: '7K3MQ9XW2ABC',
  STATEMENT_ID: 'STMT4F7K2M9X',
  PAYMENT:
    '4XxCNqGjwSnhGdpvgJr54o4WUg1JwwDjMBjpE13LSdk7eqzS8H75ehz6gshBk67MqcB8mtDHqJLjwfwV9M9wMKPA',
} as const;

export type SampleName = keyof typeof SAMPLES;

/** Parameters that a reader fills with a value of their own, by the name of its variable in examples. */
const VARIABLES: Readonly<Record<string, SampleName>> = {
  tx_signature: 'TX_SIGNATURE',
  address: 'WALLET',
  counterparty: 'COUNTERPARTY',
  receipt_id: 'RECEIPT_ID',
  statement_id: 'STATEMENT_ID',
  signature: 'PAYMENT',
};

/** The variable that stands for a parameter in examples; undefined for one that they write out. */
export function variableOf(name: string): SampleName | undefined {
  return Object.hasOwn(VARIABLES, name) ? VARIABLES[name] : undefined;
}
