import { z } from 'zod';
import type { LegPrice } from '../chain/movements';
import { fromDecimal } from '../money';
import { type BesideLines, NATIVE_SOL_TOKEN } from './describe-beside';
import { NATIVE_SOL, NETWORK_NAMES, otherPayeeTrait, TRAITS } from './describe-traits';
import { readBesideLines, readPrices, readTemplate } from './parse-beside';
import type { ReceiptLeg } from './receipt-beside';

const attribute = z.object({
  trait_type: z.string().min(1),
  value: z.string(),
  verification: z.enum(['chain', 'self_reported']),
  reported_by: z.enum(['payer', 'seller', 'service']).optional(),
});
const document = z.object({
  name: z.string().min(1),
  symbol: z.literal('RCPT'),
  description: z.string(),
  image: z.url(),
  external_url: z.url(),
  attributes: z.array(attribute).min(1),
  properties: z.object({
    files: z.array(z.object({ uri: z.url(), type: z.string() })).min(1),
    category: z.literal('image'),
  }),
});

/** A receipt's metadata, read back. Amounts are base units; what the metadata leaves out is null. */
export type ReceiptMetadata = {
  name: string;
  description: string;
  imageUri: string;
  pageUrl: string;
  /** Read from attributes marked `chain`: to be held against the transaction. */
  chain: {
    network: keyof typeof NETWORK_NAMES;
    transaction: string;
    slot: bigint;
    paidAt: Date;
    payer: string;
    seller: string;
    amount: bigint;
    decimals: number;
    mint: string | null;
    tokenProgram: string | null;
    amountSent: bigint;
    feeWithheld: bigint;
    /** How many there were, and the first of them. */
    otherPayees: number;
    listedPayees: ReceiptLeg[];
    /** Further facts of the second template about the chain, line by line. */
    beside?: BesideLines;
  };
  /** Left out in the first template. */
  template?: 2 | 3 | 4;
  /** The service's word. */
  service: {
    receiptId: string;
    issuedAt: Date;
    token: string;
    usdMicros: bigint;
    usdBasis: 'par' | 'fx' | 'market';
    usdSource: string | null;
    dtiCode: string | null;
    dtiGroupCode: string | null;
    /** Prices that chose the transfer; left out where none did. */
    prices?: LegPrice[];
    /** How many there were, where not all of them are listed. */
    priceCount?: number;
  };
  /** The word of one of the two parties. */
  labels: {
    reportedBy: 'payer' | 'seller';
    serviceType: string;
    transactionType: string | null;
    invoiceId: string | null;
  };
};

export type MetadataReading = { ok: true; metadata: ReceiptMetadata } | { ok: false; why: string };

class Unreadable extends Error {}

/**
 * Reads the JSON of {@link writeMetadata} back, from any source. Refuses bytes that are not such
 * JSON. Refuses a trait that is missing, named twice, of the wrong form or from the wrong source.
 * Refuses an amount whose two spellings differ, and any attribute marked `chain` that cannot be
 * checked. Other attributes are accepted.
 */
export function parseReceiptMetadata(bytes: Uint8Array): MetadataReading {
  try {
    return { ok: true, metadata: read(document.parse(parseJson(bytes))) };
  } catch (error) {
    if (error instanceof z.ZodError)
      return {
        ok: false,
        why: `the metadata does not have the form of a receipt: ${first(error)}`,
      };
    if (error instanceof Unreadable) return { ok: false, why: error.message };
    throw error;
  }
}

function read(json: z.infer<typeof document>): ReceiptMetadata {
  const traits = index(json.attributes);
  const text = (trait: string, source: string): string | null => {
    const found = traits.get(trait);
    traits.delete(trait);
    if (!found) return null;
    const seen = found.verification === 'chain' ? 'chain' : found.reported_by;
    if (seen !== source)
      throw new Unreadable(`"${trait}" is marked ${seen ?? 'by no one'}, not ${source}`);
    return found.value;
  };
  const reportedBy = traits.get(TRAITS.serviceType)?.reported_by === 'seller' ? 'seller' : 'payer';
  const chain = readChain((trait) => text(trait, 'chain'));
  const service = readService((trait) => text(trait, 'service'));
  const template = readTemplate((trait) => text(trait, 'service'));
  if (template === null)
    throw new Unreadable(`"${TRAITS.template}" is not one that this checker knows`);
  const labels = {
    reportedBy,
    serviceType: need(TRAITS.serviceType, text(TRAITS.serviceType, reportedBy)),
    transactionType: text(TRAITS.transactionType, reportedBy),
    invoiceId: text(TRAITS.invoiceId, reportedBy),
  } as const;
  for (const [trait, { verification }] of traits)
    if (verification === 'chain')
      throw new Unreadable(`"${trait}" is marked chain, and nothing on the chain is called that`);
  const [file] = json.properties.files;
  if (file?.uri !== json.image) throw new Unreadable('the first file is not the image');
  const { name, description, image: imageUri, external_url: pageUrl } = json;
  const known = { name, description, imageUri, pageUrl, chain, service, labels };
  if (template === 1) return known;
  // From the second template on, missing lines mean that there were no other movements.
  return { ...known, chain: { ...chain, beside: chain.beside ?? [] }, template };
}

function readChain(text: (trait: string) => string | null): ReceiptMetadata['chain'] {
  const decimals = Number(whole(TRAITS.decimals, text(TRAITS.decimals)));
  if (decimals > 255) throw new Unreadable(`"${TRAITS.decimals}" is more than 255`);
  const units = (trait: string) => decimal(trait, text(trait), decimals);
  const mint = need(TRAITS.mint, text(TRAITS.mint));
  const amount = units(TRAITS.amount);
  if (whole(TRAITS.amountRaw, text(TRAITS.amountRaw)) !== amount)
    throw new Unreadable(`"${TRAITS.amount}" and "${TRAITS.amountRaw}" are different amounts`);
  const name = need(TRAITS.network, text(TRAITS.network));
  const network = (['mainnet', 'devnet', 'local'] as const).find((n) => NETWORK_NAMES[n] === name);
  if (!network) throw new Unreadable(`"${TRAITS.network}" is not one that this checker knows`);
  const payees = text(TRAITS.otherPayees);
  return {
    network,
    amount,
    decimals,
    transaction: need(TRAITS.transaction, text(TRAITS.transaction)),
    slot: whole(TRAITS.slot, text(TRAITS.slot)),
    paidAt: instant(TRAITS.paidAt, text(TRAITS.paidAt)),
    payer: need(TRAITS.payer, text(TRAITS.payer)),
    seller: need(TRAITS.seller, text(TRAITS.seller)),
    mint: mint === NATIVE_SOL ? null : mint,
    tokenProgram: text(TRAITS.tokenProgram),
    amountSent: units(TRAITS.amountSent),
    feeWithheld: units(TRAITS.feeWithheld),
    otherPayees: payees === null ? 0 : Number(whole(TRAITS.otherPayees, payees)),
    listedPayees: readPayees(text, decimals),
    ...besideLines(text),
  };
}

function besideLines(text: (trait: string) => string | null): { beside?: BesideLines } {
  const beside = readBesideLines(text);
  return beside.length === 0 ? {} : { beside };
}

function readPayees(text: (trait: string) => string | null, decimals: number) {
  const listed: ReceiptLeg[] = [];
  for (;;) {
    const trait = otherPayeeTrait(listed.length + 1);
    const value = text(trait);
    if (value === null) return listed;
    const [owner = '', amount = '', mint, own] = value.split(' ');
    if (mint === undefined) {
      listed.push({ owner, amount: decimal(trait, amount, decimals) });
      continue;
    }
    const ownDecimals = Number(whole(trait, own ?? null));
    listed.push({
      owner,
      amount: decimal(trait, amount, ownDecimals),
      mint: mint === NATIVE_SOL_TOKEN ? null : mint,
      decimals: ownDecimals,
    });
  }
}

function readService(text: (trait: string) => string | null): ReceiptMetadata['service'] {
  const basis = z.enum(['par', 'fx', 'market']).safeParse(text(TRAITS.usdBasis));
  if (!basis.success) throw new Unreadable(`"${TRAITS.usdBasis}" is not par, fx or market`);
  const priceCount = text(TRAITS.prices);
  const prices = priceCount === null ? [] : readPrices(text);
  if (!prices) throw new Unreadable(`one of "${TRAITS.prices}" is no price`);
  return {
    receiptId: need(TRAITS.receiptId, text(TRAITS.receiptId)),
    issuedAt: instant(TRAITS.issuedAt, text(TRAITS.issuedAt)),
    token: need(TRAITS.token, text(TRAITS.token)),
    usdMicros: decimal(TRAITS.usdValue, text(TRAITS.usdValue), 6),
    usdBasis: basis.data,
    usdSource: text(TRAITS.usdSource),
    dtiCode: text(TRAITS.dtiCode),
    dtiGroupCode: text(TRAITS.dtiGroupCode),
    ...(prices.length === 0 ? {} : { prices }),
    ...(priceCount === null || priceCount === prices.length.toString()
      ? {}
      : { priceCount: Number(whole(TRAITS.prices, priceCount)) }),
  };
}

type Attribute = z.infer<typeof attribute>;

function index(attributes: Attribute[]): Map<string, Attribute> {
  const traits = new Map<string, Attribute>();
  for (const one of attributes) {
    if (traits.has(one.trait_type)) throw new Unreadable(`"${one.trait_type}" occurs twice`);
    traits.set(one.trait_type, one);
  }
  return traits;
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new Unreadable('the metadata is not JSON in UTF-8');
  }
}

function first(error: z.ZodError): string {
  const issue = error.issues[0];
  return issue ? `${issue.path.join('.')} ${issue.message}` : 'unknown';
}

function need(trait: string, value: string | null): string {
  if (value === null || value === '') throw new Unreadable(`"${trait}" is missing`);
  return value;
}

function whole(trait: string, value: string | null): bigint {
  const text = need(trait, value);
  if (!/^(?:0|[1-9]\d{0,38})$/.test(text)) throw new Unreadable(`"${trait}" is not a whole number`);
  return BigInt(text);
}

function decimal(trait: string, value: string | null, decimals: number): bigint {
  const units = fromDecimal(need(trait, value), decimals);
  if (units === null || units < 0n)
    throw new Unreadable(`"${trait}" is not an amount of ${decimals} decimals`);
  return units;
}

function instant(trait: string, value: string | null): Date {
  const text = need(trait, value);
  const at = new Date(text);
  if (Number.isNaN(at.getTime()) || at.toISOString() !== text)
    throw new Unreadable(`"${trait}" is not a UTC time`);
  return at;
}
