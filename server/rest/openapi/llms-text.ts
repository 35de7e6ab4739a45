import { MEMO_PROGRAM_IDS } from '@quittance/verify/chain/programs';
import { ERRORS } from '@/server/errors';
import type { OperatorContact } from '@/server/operator-contact';
import { LABEL_RULES } from '@/server/receipts/label-rules';
import { PRICE_LIST } from '@/server/payments/prices';
import type { Operation } from '../operations/operation';

/** The rules of labels. */
export { LABEL_RULES };

/** A rule and the fields that show it. */
type Rule = { name: string; text: string };

/** How a transaction is read. The docs, /llms.txt and the API description have these texts from here. */
export const READING_RULES: readonly Rule[] = [
  {
    name: 'Legs',
    text: 'The service adds up the amounts that each owner gave and received in a transaction. Each amount received is a leg. A receipt is about one leg, the transfer. Every other leg is in `other_legs` with owner, token and amount. The transfer must be at least 80 % of the USD value of all valued legs. `prices` holds the prices that decided this.',
  },
  {
    name: 'Several sellers',
    text: '`POST /mint` refuses a transaction below 80 % with `several_sellers`, or `several_tokens` if one owner received all of it. Statements and `GET /wallet/{address}/receipts` do not refuse it, because each leg is a row.',
  },
  {
    name: 'Left out',
    text: 'Network and priority fees, rent, tips to validators and relays, transfers to oneself, mints and burns are no legs. `left_out` names each with its `reason`, amount, `from` and `to`. Legs and `left_out` together equal the change of every balance.',
  },
  {
    name: 'Goods',
    text: 'A wallet pays another wallet and receives in return only tokens without a valuation (an NFT, a ticket): this is a payment. `goods` lists those tokens, except assets without token balances (MPL Core, compressed NFTs). If the other side is a program account, it is a swap: `not_a_payment`.',
  },
  {
    name: 'Exchange',
    text: 'A payment through a listed exchange program counts if the values that the exchange gave and received are within 10 % of each other. `amount` is the amount that the seller received. `paid_with` has the amounts that the payer gave, and `change` the amounts that the payer got back. Change is less than 20 % of the amount given.',
  },
  {
    name: 'Withheld fee',
    text: '`amount` is the amount that the seller received. `fee_withheld` is the fee that a Token-2022 token withheld. `amount_sent` is the sum of both.',
  },
  {
    name: 'Programs',
    text: '`payer_kind` and `seller_kind` are `program` for a vault, multisig, escrow or stream. A program cannot sign, so the other party asks for the receipt.',
  },
];

/** How a statement lists what was read. */
export const STATEMENT_RULES: readonly Rule[] = [
  {
    name: 'Rows',
    text: 'A statement has a row for each leg of its wallet: a payout is one row for each receiver. `tx_count` and the price count transactions, each once. `row_count` counts rows. Rows are in the order of the chain: slot, position in the block, leg.',
  },
  {
    name: 'Row proofs',
    text: '`GET /statement/{statement_id}/proof/{tx_signature}?leg=N` proves the row with that `leg`. Without `leg` it proves the first row of the transaction.',
  },
  {
    name: 'Skipped',
    text: '`skipped` counts the transactions and legs without a row by reason, with signatures and the change of each balance. `left_out` does the same for fees and rent. Rows, `skipped` and `left_out` together equal the change of each balance of the wallet. One exception: `skipped` names a failed transaction by its signature alone, without its network fee.',
  },
  {
    name: 'Exports',
    text: 'An export holds receipts. Further legs are further rows with the same `receipt_id`.',
  },
];

/** Labels that the operator hides, and the copies of them that stay. The terms have these texts from here as well. */
export const HIDING_RULES: readonly Rule[] = [
  {
    name: 'Hiding',
    text: 'The operator hides labels and business names that break the terms, for example personal data or slander. A note takes their place on pages, in images that the service serves, in lists and in exports, for payer and seller as well. Previews of links never hold labels. Statements made later leave them out. The audit log has each case.',
  },
  {
    name: 'Copies that stay',
    text: 'Signed files keep the labels: the metadata and image on permanent storage, the proofs, and the CSV of an earlier statement. Their hashes are in NFTs, so a changed file would look forged.',
  },
  {
    name: 'Cached images',
    text: 'A browser or a cache may show the old image for up to 5 minutes.',
  },
];

/** Where a value in money comes from. */
export const RATE_RULES: readonly Rule[] = [
  {
    name: 'Sources',
    text: 'A rate is the last one published on or before the UTC day of the block, at most 7 days earlier. The first source is the European Central Bank. For what it does not publish, a blend of central banks and then dated daily files follow. SOL has a market price of the day. `rate_source` names the source, `rate_date` the day it published.',
  },
  {
    name: 'Provisional rates',
    text: '`rate_provisional` is true while the source may still change the figure. An ECB rate is final once a later day is published, any other 48 hours after its day ends. The USD value of a quote or receipt never changes: `valuation` is `par`, `fx` or `market`, and `valuation_source` names the price.',
  },
];

/** The service for a language model: what it does, each path, prices, and how to pay. */
export function llmsText(
  o: { publicUrl: string; serviceName: string; network: string; operator: OperatorContact },
  table: readonly Operation[],
): string {
  const { publicUrl, serviceName } = o;
  return `# Quittance

> Receipts for payments on Solana that anyone can check. Send the signature of a token transfer. The answer
> is a receipt: a compressed NFT with stored, signed facts. Network: ${o.network}.

- API description: ${publicUrl}/openapi.json
- Docs for people: ${publicUrl}/docs
- Terms: ${publicUrl}/terms
- Operator: ${o.operator.name}, ${o.operator.contact}
- Keys and trees to check receipts against: ${publicUrl}/.well-known/quittance.json

## Paths

${table
  .filter(({ tag }) => tag !== 'Admin')
  .map(({ method, path, summary }) => `- ${method.toUpperCase()} ${path}: ${summary}`)
  .join('\n')}

## Prices

${PRICE_LIST.map(({ method, path, rule }) => `- ${method} ${path}: ${rule}`).join('\n')}

## How to create a receipt

1. POST ${publicUrl}/mint with {"tx_signature": "...", "service_type": "what it was for"}.
   A 400 names each label that cannot be used ("Labels" below). \`details.reasons\` has a code for it.
2. Under 1 USD: send the headers X-Wallet-Address and X-Wallet-Signature of the payer or the seller. The
   signature is Ed25519 in base58 over the text ${serviceName}:{tx_signature}.
3. From 1 USD on the answer is 402 with an offer. Send the USDC with an SPL memo that is exactly the id of
   the quote. Then send the same request with the payment's signature in X-Payment. Clients of x402 version 1
   and 2 pay automatically. An empty body ({} or none) without a payment is answered 402 with the price range
   and no quote. A payment with an empty body is answered 400 and never settled. The memo counts from any of
   these programs: ${MEMO_PROGRAM_IDS.join(', ')}.
4. Never pay twice: after a 503 send the same request with the same payment again.
   GET ${publicUrl}/payments/{signature} shows the state of a payment, presented or not. USDC that bought
   nothing buys one request of at most its amount within 90 days, with its payer's wallet headers. Payments
   are not added up. A surplus, SOL and other tokens buy nothing. The operator makes refunds by hand. A
   refunded payment buys nothing.
5. Follow GET ${publicUrl}/mint/status/{receipt_id}?wait=20 until it is completed.

## How a transaction is read

${list(READING_RULES)}

## Labels

${list(LABEL_RULES)}

## Rows of a statement

${list(STATEMENT_RULES)}

## Values and rates

${list(RATE_RULES)}

## How labels are hidden

${list(HIDING_RULES)}

## Errors

Every refusal has a stable "code", and "docs" with the address of its entry: ${publicUrl}/docs#error-{code}.
The header Link (rel="help") has the same address. A 429 has the header and no "code" or "docs".

${Object.entries(ERRORS)
  .map(([code, { status, cause, fix }]) => `- ${code} (${status}): ${cause} ${fix}`)
  .join('\n')}
`;
}

function list(rules: readonly { name: string; text: string }[]): string {
  return rules.map(({ name, text }) => `- ${name}: ${text}`).join('\n');
}
