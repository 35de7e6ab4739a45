import { MEMO_PROGRAM_IDS } from '@quittance/verify/chain/programs';
import { ERRORS } from '@/server/errors';
import type { Operator } from '@/server/operator';
import { PRICE_LIST } from '@/server/payments/prices';
import type { Operation } from '../operations/operation';
import { RATE_RULES, READING_RULES, STATEMENT_RULES } from './reading-rules';

/** The service told to a language model: what it does, each path, prices, and how to pay. */
export function llmsText(
  o: { publicUrl: string; serviceName: string; network: string; operator: Operator },
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
2. Under 1 USD: send the headers X-Wallet-Address and X-Wallet-Signature of the payer or the seller. The
   signature is Ed25519 in base58 over the text ${serviceName}:{tx_signature}.
3. From 1 USD on the answer is 402 with an offer. Send the USDC with an SPL memo that holds exactly the id
   of the quote, then send the same request with the payment's signature in X-Payment. Clients of x402
   version 1 and 2 pay by themselves. Any of the memo programs counts: ${MEMO_PROGRAM_IDS.join(', ')}.
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
