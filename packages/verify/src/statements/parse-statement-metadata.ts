import { z } from 'zod';
import { USD_DECIMALS, fromDecimal } from '../money';
import { NETWORK_NAMES } from '../receipts/describe-traits';
import {
  paidTrait,
  receivedTrait,
  SEARCHED,
  SELECTIONS,
  STATEMENT_TEMPLATE,
  STATEMENT_TRAITS,
  type StatementTexts,
  writeStatementMetadata,
} from './describe-statement';

const attribute = z.object({ trait_type: z.string().min(1), value: z.string() });
const document = z.object({
  name: z.string().min(1),
  symbol: z.literal('STMT'),
  image: z.url(),
  external_url: z.url(),
  attributes: z.array(attribute).min(1),
});

/** A statement's metadata, read back for the check of the statement. Sums are micro-USD. */
export type StatementMetadata = {
  name: string;
  /** 1 for older metadata, which did not name its template. */
  template: number;
  imageUri: string;
  pageUrl: string;
  statementId: string;
  issuedAt: Date;
  network: string;
  wallet: string;
  selection: keyof typeof SELECTIONS;
  /** UTC days. */
  firstDay: string;
  lastDay: string;
  /**
   * For a scan, from the first instant to before the second; null where the template did not have
   * it.
   */
  period: { from: Date; until: Date } | null;
  leastMicros: bigint | null;
  /** False for a scan that could not search every account of the wallet. */
  isSearched: boolean;
  count: number;
  /** Rows; from before legs were listed, one for each transaction. */
  rowCount: number;
  totalMicros: bigint;
  asPayerMicros: bigint;
  asSellerMicros: bigint;
  csvSha256: string;
  merkleRoot: string;
  /** Symbols of the tokens that have sums. */
  tokens: readonly string[];
  /** All traits by name, for values by token. */
  traits: ReadonlyMap<string, string>;
  /** Whether its template makes exactly these bytes of these facts: they hold nothing else. */
  isRemade: boolean;
};
export type StatementReading =
  { ok: true; metadata: StatementMetadata } | { ok: false; why: string };

/** Reads the JSON of `writeStatementMetadata` back, from any source; never throws. */
export function parseStatementMetadata(bytes: Uint8Array): StatementReading {
  const json = document.safeParse(parseJson(bytes));
  if (!json.success)
    return { ok: false, why: 'the metadata does not have the form of a statement' };
  const { attributes, name, image: imageUri, external_url: pageUrl } = json.data;
  const traits = new Map(attributes.map(({ trait_type, value }) => [trait_type, value]));
  if (traits.size !== attributes.length) return { ok: false, why: 'a trait occurs twice' };
  const said = Object.fromEntries(
    Object.entries(STATEMENT_TRAITS).map(([key, trait]) => [key, traits.get(trait) ?? null]),
  );
  const parsed = fields.safeParse(said);
  const texts = written.safeParse(said);
  if (!parsed.success || !texts.success) {
    const [issue] = (parsed.error ?? texts.error)?.issues ?? [];
    return { ok: false, why: `the trait for ${issue?.path.join('.') ?? '?'} is not valid` };
  }
  const { from, until, leastUsd, rows, totalUsd, asPayerUsd, asSellerUsd, ...read } = parsed.data;
  const metadata = {
    name,
    template: Number(read.template ?? 1),
    imageUri,
    pageUrl,
    statementId: read.statementId,
    issuedAt: read.issuedAt,
    network: read.network,
    wallet: read.wallet,
    selection: read.selection,
    firstDay: read.firstDay,
    lastDay: read.lastDay,
    period: from && until && { from, until },
    leastMicros: leastUsd,
    isSearched: read.searched !== SEARCHED.some,
    count: read.count,
    rowCount: rows ?? read.count,
    totalMicros: totalUsd,
    asPayerMicros: asPayerUsd,
    asSellerMicros: asSellerUsd,
    csvSha256: read.csvSha256,
    merkleRoot: read.merkleRoot,
    tokens: tokensOf(traits),
    traits,
  };
  const remade = remake({ texts: texts.data, traits, pageUrl, imageUri });
  const isRemade = remade !== null && Buffer.from(remade).equals(bytes);
  return { ok: true, metadata: { ...metadata, isRemade } };
}

/** The bytes that the template makes of the traits; null where no template has such traits. */
function remake(o: {
  texts: z.infer<typeof written>;
  traits: ReadonlyMap<string, string>;
  pageUrl: string;
  imageUri: string;
}): Uint8Array | null {
  const { texts, traits, pageUrl } = o;
  const network = (['mainnet', 'devnet', 'local'] as const).find(
    (one) => NETWORK_NAMES[one] === texts.network,
  );
  if (!network || !isOneTemplate(texts)) return null;
  const tokens = tokensOf(traits).map((token) => ({
    token,
    paid: traits.get(paidTrait(token)) ?? '',
    received: traits.get(receivedTrait(token)) ?? '',
  }));
  return writeStatementMetadata({ ...texts, network, pageUrl, tokens }, o.imageUri);
}

/** Whether these traits are of one template: an older template has none that a later one added. */
function isOneTemplate({ template, rows, selection, ...later }: z.infer<typeof written>): boolean {
  const ofScan = [later.from, later.until, later.searched];
  if (template === null) return [...ofScan, later.leastUsd].every((one) => one === null);
  if (selection === SELECTIONS.scan) return rows !== null && !ofScan.includes(null);
  return rows !== null && [...ofScan, later.leastUsd].every((one) => one === null);
}

/** In the order in which the template lists them. */
function tokensOf(traits: ReadonlyMap<string, string>): string[] {
  return [...traits.keys()]
    .filter((trait) => trait !== STATEMENT_TRAITS.asPayerUsd)
    .flatMap((trait) => PAID.exec(trait)?.[1] ?? [])
    .sort();
}

/** The form that `paidTrait` writes. */
const PAID = /^Paid in (.+)$/;

const text = z.string();
/** The traits in their written form. */
const written = z.object({
  statementId: text,
  issuedAt: text,
  network: text,
  wallet: text,
  selection: text,
  firstDay: text,
  lastDay: text,
  from: text.nullable(),
  until: text.nullable(),
  leastUsd: text.nullable(),
  searched: text.nullable(),
  count: text,
  rows: text.nullable(),
  totalUsd: text,
  asPayerUsd: text,
  asSellerUsd: text,
  csvSha256: text,
  merkleRoot: text,
  template: text.nullable(),
}) satisfies z.ZodType<Omit<StatementTexts, 'network' | 'pageUrl' | 'tokens'>>;

const usd = z.string().transform((text, ctx) => {
  const micros = fromDecimal(text, USD_DECIMALS);
  if (micros !== null && micros >= 0n) return micros;
  ctx.addIssue({ code: 'custom', message: 'is no amount' });
  return z.NEVER;
});
const count = z
  .string()
  .regex(/^\d{1,6}$/)
  .transform(Number);
const hash = z.string().regex(/^[0-9a-f]{64}$/);
const instant = z.iso.datetime().transform((text) => new Date(text));
const fields = z.object({
  statementId: z.string(),
  issuedAt: instant,
  network: z.string(),
  wallet: z.string(),
  selection: z
    .enum(SELECTIONS)
    .transform((text) => (text === SELECTIONS.list ? ('list' as const) : ('scan' as const))),
  firstDay: z.iso.date(),
  lastDay: z.iso.date(),
  from: instant.nullable(),
  until: instant.nullable(),
  leastUsd: usd.nullable(),
  searched: z.enum(SEARCHED).nullable(),
  count,
  rows: count.nullable(),
  totalUsd: usd,
  asPayerUsd: usd,
  asSellerUsd: usd,
  csvSha256: hash,
  merkleRoot: hash,
  template: z.enum(['3', STATEMENT_TEMPLATE]).nullable(),
});

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return null;
  }
}
