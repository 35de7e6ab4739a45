import canonicalize from 'canonicalize';
import { USD_DECIMALS, toDecimal } from '@quittance/verify/money';
import { chainEntries, legText, serviceEntries } from '@quittance/verify/receipts/describe-beside';
import {
  NATIVE_SOL,
  NETWORK_NAMES,
  otherPayeeTrait,
  TRAITS,
} from '@quittance/verify/receipts/describe-traits';
import type { ReceiptFacts } from './receipt-facts';

/** Other payees named one by one; the count tells of the rest, which the transaction itself lists. */
const LISTED_PAYEES = 16;

type Source = 'chain' | 'payer' | 'seller' | 'service';
type Attribute = {
  trait_type: string;
  value: string;
  verification: 'chain' | 'self_reported';
  reported_by?: Exclude<Source, 'chain'>;
};

/** Name of the receipt and of its NFT: at most 31 bytes, the program takes 32. */
export function receiptName({ receiptId, network }: Pick<ReceiptFacts, 'receiptId' | 'network'>) {
  return `${network === 'local' ? 'TEST CHAIN ' : ''}Receipt ${receiptId}`;
}

/**
 * The metadata of a receipt: UTF-8 bytes of canonical JSON (RFC 8785), in the Metaplex form that wallets
 * read. Each attribute is a string and says where it comes from: `chain` (anyone can read it there) or
 * `self_reported` by payer, seller or this service. Equal facts give equal bytes, at most about 10 KiB.
 */
export function describeReceipt(facts: ReceiptFacts, imageUri: string): Uint8Array {
  const page = `${facts.publicUrl}/r/${facts.receiptId}`;
  const json = canonicalize({
    name: receiptName(facts),
    symbol: 'RCPT',
    description: description(facts),
    image: imageUri,
    external_url: page,
    attributes: [...chainAttributes(facts), ...serviceAttributes(facts), ...labels(facts)],
    properties: { files: [{ uri: imageUri, type: 'image/png' }], category: 'image' },
  });
  if (json === undefined) throw new Error('the metadata has no JSON form');
  return new TextEncoder().encode(json);
}

function description(facts: ReceiptFacts): string {
  const words = `Payment receipt for ${toDecimal(facts.amount, facts.decimals)} ${facts.token}, paid on Solana on ${facts.blockTime.toISOString().slice(0, 10)} (UTC). Attributes marked "chain" can be checked against the transaction; all others are the word of whoever is named beside them.`;
  if (facts.network === 'local') return `TEST CHAIN: not a real receipt, no money moved. ${words}`;
  if (facts.network === 'devnet') return `Solana devnet: not a real receipt. ${words}`;
  return words;
}

function chainAttributes(facts: ReceiptFacts): Attribute[] {
  const units = (amount: bigint) => toDecimal(amount, facts.decimals);
  const payees = facts.otherLegs;
  return attributes('chain', [
    [TRAITS.amount, units(facts.amount)],
    [TRAITS.amountRaw, facts.amount.toString()],
    [TRAITS.decimals, facts.decimals.toString()],
    [TRAITS.mint, facts.mint ?? NATIVE_SOL],
    [TRAITS.tokenProgram, facts.tokenProgram],
    [TRAITS.payer, facts.payer],
    [TRAITS.seller, facts.seller],
    [TRAITS.paidAt, facts.blockTime.toISOString()],
    [TRAITS.transaction, facts.txSignature],
    [TRAITS.slot, facts.slot.toString()],
    [TRAITS.network, NETWORK_NAMES[facts.network]],
    [TRAITS.amountSent, units(facts.amountSent)],
    [TRAITS.feeWithheld, units(facts.feeWithheld)],
    [TRAITS.otherPayees, payees.length === 0 ? null : payees.length.toString()],
    ...payees
      .slice(0, LISTED_PAYEES)
      .map((leg, i): Entry => [otherPayeeTrait(i + 1), legText(leg, facts.decimals)]),
    ...(facts.beside ? chainEntries(facts.beside) : []),
  ]);
}

function serviceAttributes(facts: ReceiptFacts): Attribute[] {
  return attributes('service', [
    [TRAITS.token, facts.token],
    [TRAITS.usdValue, toDecimal(facts.usdMicros, USD_DECIMALS)],
    [TRAITS.usdBasis, facts.valuation],
    [TRAITS.usdSource, facts.valuationSource],
    [TRAITS.dtiCode, facts.dtifCode],
    [TRAITS.dtiGroupCode, facts.groupCode],
    [TRAITS.receiptId, facts.receiptId],
    [TRAITS.issuedAt, facts.issuedAt.toISOString()],
    ...(facts.beside ? serviceEntries(facts.beside) : []),
  ]);
}

function labels(facts: ReceiptFacts): Attribute[] {
  return attributes(facts.reportedBy, [
    [TRAITS.serviceType, facts.serviceType],
    [TRAITS.transactionType, facts.transactionType],
    [TRAITS.invoiceId, facts.invoiceId],
  ]);
}

type Entry = readonly [trait: string, value: string | null];

/** What is not known is left out: an empty value would look like one. */
function attributes(source: Source, entries: Entry[]): Attribute[] {
  return entries.flatMap(([trait_type, value]): Attribute[] => {
    if (value === null) return [];
    return source === 'chain'
      ? [{ trait_type, value, verification: 'chain' }]
      : [{ trait_type, value, verification: 'self_reported', reported_by: source }];
  });
}
