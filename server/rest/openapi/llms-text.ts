import { MEMO_PROGRAM_IDS } from '@quittance/verify/chain/programs';
import { ERRORS } from '@/server/errors';
import type { OperatorContact } from '@/server/operator-contact';
import { PRICE_LIST } from '@/server/payments/prices';
import type { Operation } from '../operations/operation';

/** A rule and the fields that show it. */
type Rule = { name: string; text: string };

/** How a transaction is read. The docs, /llms.txt and the API description have these texts from here. */
export const READING_RULES: readonly Rule[] = [
  {
    name: 'Legs',
    text: 'A transaction is reduced to what each owner gave and got: its legs. A receipt is about one leg, the transfer. Every other leg is in `other_legs` with owner, token and amount. The transfer must be at least 80 % of the USD value of all valued legs. `prices` holds the prices that decided this.',
  },
  {
    name: 'Several sellers',
    text: '`POST /mint` refuses a transaction below 80 % with `several_sellers`, or `several_tokens` if one owner got all of it. Statements and `GET /wallet/{address}/receipts` do not refuse it: each leg is a row.',
  },
  {
    name: 'Left out',
    text: 'Network and priority fees, rent, tips to validators and relays, transfers to oneself, mints and burns are no legs. `left_out` names each with its `reason`, amount, `from` and `to`. Legs and `left_out` together equal the change of every balance.',
  },
  {
    name: 'Goods',
    text: 'A wallet that pays a wallet and gets back only tokens without a valuation (an NFT, a ticket) has made a payment. `goods` lists what it got, except assets without token balances (MPL Core, compressed NFTs). The same against a program account is a swap: `not_a_payment`.',
  },
  {
    name: 'Exchange',
    text: 'A payment through a listed exchange program counts if the exchange gave and got values within 10 % of each other. `amount` is what the seller got, `paid_with` is what the payer gave, and `change` is what came back to the payer. Change is less than 20 % of what was given.',
  },
  {
    name: 'Withheld fee',
    text: '`amount` is what the seller received. `fee_withheld` is what a Token-2022 token withheld on the way. `amount_sent` is both together.',
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
    text: '`skipped` counts by reason what has no row, with signatures and the change of each balance. `left_out` does the same for fees and rent. Rows, `skipped` and `left_out` together equal the change of each balance of the wallet. One exception: `skipped` names a failed transaction by its signature alone, without its network fee.',
  },
  {
    name: 'Exports',
    text: 'An export holds receipts. Further legs are further rows with the same `receipt_id`.',
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

> Receipts for payments on Solana that anyone can check: the signature of a token transfer goes in, a
> compressed NFT with stored, signed facts comes out. Network: ${o.network}.

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
   Labels may hold letters of all common scripts and emoji; a 400 names what the image cannot show.
2. Under 1 USD: send the headers X-Wallet-Address and X-Wallet-Signature of the payer or the seller. The
   signature is Ed25519 in base58 over the text ${serviceName}:{tx_signature}.
3. From 1 USD on the answer is 402 with an offer. Send the USDC with an SPL memo that holds exactly the id
   of the quote, then send the same request with the payment's signature in X-Payment. Clients of x402
   version 1 and 2 pay by themselves. An empty body ({} or none) without a payment is answered 402 with the
   price range and no quote; a payment with an empty body is answered 400 and is never settled. Any of the memo programs counts: ${MEMO_PROGRAM_IDS.join(', ')}.
4. Never pay twice: after a 503 send the same request with the same payment again.
   GET ${publicUrl}/payments/{signature} tells what became of a payment, presented or not. USDC that bought
   nothing buys, with its payer's wallet headers, one request of at most its amount within 90 days. Payments
   are not added up. A surplus, SOL and other tokens buy nothing. Refunds are made by hand; what has been
   refunded buys nothing.
5. Follow GET ${publicUrl}/mint/status/{receipt_id}?wait=20 until it is completed.

## How a transaction is read

${list(READING_RULES)}

## Rows of a statement

${list(STATEMENT_RULES)}

## Values and rates

${list(RATE_RULES)}

## Errors

Every refusal has a stable "code":

${Object.entries(ERRORS)
  .map(([code, { status, cause, fix }]) => `- ${code} (${status}): ${cause} ${fix}`)
  .join('\n')}
`;
}

function list(rules: readonly { name: string; text: string }[]): string {
  return rules.map(({ name, text }) => `- ${name}: ${text}`).join('\n');
}
