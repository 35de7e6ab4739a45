import { z } from 'zod';
import { USD_DECIMALS, fromDecimal } from '../money';
import { STATEMENT_TRAITS } from './describe-statement';

const attribute = z.object({ trait_type: z.string().min(1), value: z.string() });
const document = z.object({
  name: z.string().min(1),
  symbol: z.literal('STMT'),
  image: z.url(),
  external_url: z.url(),
  attributes: z.array(attribute).min(1),
});

/** A statement's metadata, read back: what the check of a statement looks at. Sums are micro-USD. */
export type StatementMetadata = {
  name: string;
  imageUri: string;
  pageUrl: string;
  statementId: string;
  issuedAt: Date;
  network: string;
  wallet: string;
  count: number;
  /** Rows; those of before legs were listed are one for each transaction. */
  rowCount: number;
  totalMicros: bigint;
  asPayerMicros: bigint;
  asSellerMicros: bigint;
  csvSha256: string;
  merkleRoot: string;
  /** All traits by name, for what is told by token. */
  traits: ReadonlyMap<string, string>;
};
export type StatementReading =
  { ok: true; metadata: StatementMetadata } | { ok: false; why: string };

/** Reads the JSON of `describeStatement` back, whoever serves it; never throws. */
export function parseStatementMetadata(bytes: Uint8Array): StatementReading {
  const json = document.safeParse(parseJson(bytes));
  if (!json.success) return { ok: false, why: 'the metadata is not of the form of a statement' };
  const { attributes, name, image: imageUri, external_url: pageUrl } = json.data;
  const traits = new Map(attributes.map(({ trait_type, value }) => [trait_type, value]));
  if (traits.size !== attributes.length) return { ok: false, why: 'a trait stands there twice' };
  const parsed = fields.safeParse({
    statementId: traits.get(STATEMENT_TRAITS.statementId),
    issuedAt: traits.get(STATEMENT_TRAITS.issuedAt),
    network: traits.get(STATEMENT_TRAITS.network),
    wallet: traits.get(STATEMENT_TRAITS.wallet),
    count: traits.get(STATEMENT_TRAITS.count),
    rowCount: traits.get(STATEMENT_TRAITS.rows) ?? traits.get(STATEMENT_TRAITS.count),
    totalMicros: traits.get(STATEMENT_TRAITS.totalUsd),
    asPayerMicros: traits.get(STATEMENT_TRAITS.asPayerUsd),
    asSellerMicros: traits.get(STATEMENT_TRAITS.asSellerUsd),
    csvSha256: traits.get(STATEMENT_TRAITS.csvSha256),
    merkleRoot: traits.get(STATEMENT_TRAITS.merkleRoot),
  });
  if (parsed.success)
    return { ok: true, metadata: { name, imageUri, pageUrl, ...parsed.data, traits } };
  const [issue] = parsed.error.issues;
  return { ok: false, why: `the trait for ${issue?.path.join('.') ?? '?'} does not hold` };
}

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
const fields = z.object({
  statementId: z.string(),
  issuedAt: z.iso.datetime().transform((text) => new Date(text)),
  network: z.string(),
  wallet: z.string(),
  count,
  rowCount: count,
  totalMicros: usd,
  asPayerMicros: usd,
  asSellerMicros: usd,
  csvSha256: hash,
  merkleRoot: hash,
});

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return null;
  }
}
