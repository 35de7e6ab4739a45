import canonicalize from 'canonicalize';
import { toDecimal, USD_DECIMALS } from '../money';
import type { Network } from '../network';
import { legText, serviceEntries } from './describe-beside';
import type { ReceiptMetadata } from './describe-parse';
import { NATIVE_SOL, NETWORK_NAMES, otherPayeeTrait, TRAITS } from './describe-traits';

type Source = 'chain' | 'payer' | 'seller' | 'service';
type Attribute = {
  trait_type: string;
  value: string;
  verification: 'chain' | 'self_reported';
  reported_by?: Exclude<Source, 'chain'>;
};
type Entry = readonly [trait: string, value: string | null];

/** The facts of a receipt, without the texts that follow from them. */
export type ReceiptSaid = Omit<ReceiptMetadata, 'name' | 'description'>;

/** Name of the receipt and of its NFT: at most 31 bytes, the program takes 32. */
export function receiptName(o: { receiptId: string; network: Network }): string {
  return `${o.network === 'local' ? 'TEST CHAIN ' : ''}Receipt ${o.receiptId}`;
}

/**
 * The metadata of a receipt by the template that it names: UTF-8 bytes of canonical JSON (RFC
 * 8785), in the Metaplex form that wallets read. Each attribute is a string and names its source:
 * `chain` (anyone can read it there) or `self_reported` by payer, seller or the service.
 *
 * The service writes with this and a check writes again with this, so a receipt can hold nothing
 * outside its template. Equal facts give equal bytes, at most about 10 KiB.
 */
export function writeMetadata(said: ReceiptSaid): Uint8Array {
  const { imageUri } = said;
  const json = canonicalize({
    name: receiptName({ receiptId: said.service.receiptId, network: said.chain.network }),
    symbol: 'RCPT',
    description: descriptionOf(said),
    image: imageUri,
    external_url: said.pageUrl,
    attributes: [...chainAttributes(said), ...serviceAttributes(said), ...labels(said)],
    properties: { files: [{ uri: imageUri, type: 'image/png' }], category: 'image' },
  });
  if (json === undefined) throw new Error('the metadata has no JSON form');
  return new TextEncoder().encode(json);
}

/** The sentences that describe a receipt; the same in every template so far. */
export function descriptionOf({ chain, service }: ReceiptSaid): string {
  const words = `Payment receipt for ${toDecimal(chain.amount, chain.decimals)} ${service.token}, paid on Solana on ${chain.paidAt.toISOString().slice(0, 10)} (UTC). Attributes marked "chain" can be checked against the transaction; all others are the word of whoever is named beside them.`;
  if (chain.network === 'local') return `TEST CHAIN: not a real receipt, no money moved. ${words}`;
  if (chain.network === 'devnet') return `Solana devnet: not a real receipt. ${words}`;
  return words;
}

function chainAttributes({ chain, template }: ReceiptSaid): Attribute[] {
  const units = (amount: bigint) => toDecimal(amount, chain.decimals);
  return attributes('chain', [
    [TRAITS.amount, units(chain.amount)],
    [TRAITS.amountRaw, chain.amount.toString()],
    [TRAITS.decimals, chain.decimals.toString()],
    [TRAITS.mint, chain.mint ?? NATIVE_SOL],
    [TRAITS.tokenProgram, chain.tokenProgram],
    [TRAITS.payer, chain.payer],
    [TRAITS.seller, chain.seller],
    [TRAITS.paidAt, chain.paidAt.toISOString()],
    [TRAITS.transaction, chain.transaction],
    [TRAITS.slot, chain.slot.toString()],
    [TRAITS.network, NETWORK_NAMES[chain.network]],
    [TRAITS.amountSent, units(chain.amountSent)],
    [TRAITS.feeWithheld, units(chain.feeWithheld)],
    [TRAITS.otherPayees, chain.otherPayees === 0 ? null : chain.otherPayees.toString()],
    ...chain.listedPayees.map((leg, i): Entry => [
      otherPayeeTrait(i + 1),
      legText(leg, chain.decimals),
    ]),
    ...(template === undefined ? [] : (chain.beside ?? [])),
  ]);
}

function serviceAttributes({ service, template }: ReceiptSaid): Attribute[] {
  return attributes('service', [
    [TRAITS.token, service.token],
    [TRAITS.usdValue, toDecimal(service.usdMicros, USD_DECIMALS)],
    [TRAITS.usdBasis, service.usdBasis],
    [TRAITS.usdSource, service.usdSource],
    [TRAITS.dtiCode, service.dtiCode],
    [TRAITS.dtiGroupCode, service.dtiGroupCode],
    [TRAITS.receiptId, service.receiptId],
    [TRAITS.issuedAt, service.issuedAt.toISOString()],
    ...(template === undefined
      ? []
      : serviceEntries({
          template,
          prices: service.prices ?? [],
          priceCount: service.priceCount ?? service.prices?.length ?? 0,
        })),
  ]);
}

function labels({ labels: said }: ReceiptSaid): Attribute[] {
  return attributes(said.reportedBy, [
    [TRAITS.serviceType, said.serviceType],
    [TRAITS.transactionType, said.transactionType],
    [TRAITS.invoiceId, said.invoiceId],
  ]);
}

/** Unknown values are left out: an empty value would look like a known one. */
function attributes(source: Source, entries: readonly Entry[]): Attribute[] {
  return entries.flatMap(([trait_type, value]): Attribute[] => {
    if (value === null) return [];
    return source === 'chain'
      ? [{ trait_type, value, verification: 'chain' }]
      : [{ trait_type, value, verification: 'self_reported', reported_by: source }];
  });
}
