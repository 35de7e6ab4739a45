import type { ReceiptFacts } from './receipt-facts';

const FACTS: ReceiptFacts = {
  receiptId: '7K3MQ9XW2ABC',
  issuedAt: new Date('2026-11-28T14:06:00.250Z'),
  network: 'mainnet',
  publicUrl: 'https://receipts.example',
  txSignature:
    '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW',
  slot: 312_345_678n,
  blockIndex: null,
  blockTime: new Date('2026-11-28T14:05:09Z'),
  payer: '7uS8y1Qd4nWm6pZzT3oZkF9cGq5vLxRbXH2eJtNa9kV3',
  seller: '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin',
  mint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  tokenProgram: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  token: 'USDC',
  decimals: 6,
  dtifCode: '5R3XFPZSM',
  groupCode: 'TJWK5QTRK',
  amount: 750_000n,
  amountSent: 750_000n,
  feeWithheld: 0n,
  otherLegs: [],
  beside: null,
  usdMicros: 750_000n,
  valuation: 'par',
  valuationSource: null,
  serviceType: 'API calls, November',
  transactionType: 'subscription',
  invoiceId: 'INV-2026-0042',
  reportedBy: 'payer',
};

/** A receipt's facts, with what a test changes. */
export function makeFacts(changes: Partial<ReceiptFacts> = {}): ReceiptFacts {
  return { ...FACTS, ...changes };
}

/** Everything as long, wide and foreign as labels, legs and amounts can be. */
export function makeHostileFacts(changes: Partial<ReceiptFacts> = {}): ReceiptFacts {
  return makeFacts({
    amount: 18_446_744_073_709_551_615n,
    amountSent: 18_446_744_073_709_551_615n,
    feeWithheld: 18_446_744_073_709_551_615n,
    otherLegs: Array.from({ length: 400 }, (_, i) => ({
      owner: FACTS.seller,
      amount: 18_446_744_073_709_551_615n - BigInt(i),
    })),
    usdMicros: 10n ** 18n - 1n,
    valuation: 'market',
    valuationSource: 'W'.repeat(400),
    serviceType: 'W'.repeat(64),
    transactionType: '𓀀👩‍👩‍👧'.repeat(8).slice(0, 32),
    invoiceId: '"\\<svg onload=1>&;'.padEnd(64, 'Щ'),
    ...changes,
  });
}
