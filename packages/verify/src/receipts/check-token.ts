import { rescale, USD_DECIMALS } from '../money';
import type { Network } from '../network';
import {
  basisOf,
  isDti,
  listTokens,
  TABLE_DATE,
  TABLE_WHOLE_UNTIL,
  tokenByMint,
  type TokenEntry,
} from '../tokens/token-table';
import { notJudged, type CheckLine, type Outcome, worstOf } from './check-line';
import type { ReceiptMetadata } from './describe-parse';

type Service = ReceiptMetadata['service'];
type Judged = { outcome: Outcome; detail: string };

const LINES = {
  symbol: ['token_symbol', 'The symbol is that of the mint'],
  dti: ['token_dti', 'The DTI codes are those of the mint'],
  value: ['value_rule', 'The value in USD follows from the rule for this token'],
} as const;

/**
 * Compares the issuer's facts about the token and its value with the table that this checker ships.
 * A table has a date: a missing token may be newer, which this checker cannot judge. Tokens minted
 * before that date are in it.
 */
export function checkToken(o: {
  metadata: ReceiptMetadata | null;
  network: Network;
  mintedAt: Date | null;
}): CheckLine[] {
  const { metadata, mintedAt } = o;
  const missing = outcomeOfMissing(mintedAt);
  const line = (
    [id, title]: readonly [string, string],
    judge: (metadata: ReceiptMetadata) => Judged,
  ): CheckLine =>
    metadata
      ? { id, title, ...judge(metadata) }
      : notJudged(id, title, 'the metadata cannot be read');
  const entryOf = ({ chain }: ReceiptMetadata) => tokenByMint(chain.mint, o.network);
  return [
    line(LINES.symbol, (one) => judgeSymbol(one.service, entryOf(one), { ...o, missing })),
    line(LINES.dti, (one) => judgeCodes(one.service, entryOf(one), { ...o, missing })),
    line(LINES.value, (one) => judgeValue(one, entryOf(one), missing)),
  ];
}

/** The result when the table lacks something: an NFT from before its date cannot name it. */
export function outcomeOfMissing(mintedAt: Date | null): 'failed' | 'unknown' {
  return mintedAt !== null && mintedAt < TABLE_WHOLE_UNTIL ? 'failed' : 'unknown';
}

/** `missing`: the outcome if the table does not have something. */
type Table = { network: Network; missing: Outcome };

function judgeSymbol(
  { token }: Service,
  entry: TokenEntry | null,
  { network, missing }: Table,
): Judged {
  if (entry)
    return entry.symbol === token
      ? { outcome: 'held', detail: `${token} in the table of ${TABLE_DATE}` }
      : { outcome: 'failed', detail: `the mint is that of ${entry.symbol}, not of ${token}` };
  const taken = listTokens(network).find(({ symbol }) => symbol === token);
  if (taken)
    return { outcome: 'failed', detail: `${token} is the mint ${taken.mint ?? 'of native SOL'}` };
  return { outcome: missing, detail: `the table of ${TABLE_DATE} has no such mint` };
}

/** A code that is left out says nothing wrong: the token may have been registered later. */
function judgeCodes(
  service: Service,
  entry: TokenEntry | null,
  { network, missing }: Table,
): Judged {
  const codes = [
    ['DTI code', service.dtiCode, 'dtifCode'],
    ['DTI group code', service.dtiGroupCode, 'groupCode'],
  ] as const;
  const judged = codes.map(([name, said, field]): Judged => {
    const listed = entry?.[field] ?? null;
    if (said === null) return { outcome: 'held', detail: `no ${name}` };
    if (said === listed) return { outcome: 'held', detail: `${name} ${said}` };
    if (listed !== null) return { outcome: 'failed', detail: `${name} is ${listed}, not ${said}` };
    if (!isDti(said)) return { outcome: 'failed', detail: `${said} is no DTI code` };
    const other = listTokens(network).find((one) => one[field] === said);
    if (other) return { outcome: 'failed', detail: `${name} ${said} is that of ${other.symbol}` };
    return {
      outcome: missing,
      detail: `the table of ${TABLE_DATE} has no ${name} of this mint`,
    };
  });
  return {
    outcome: worstOf(judged.map(({ outcome }) => outcome)),
    detail: judged.map(({ detail }) => detail).join(', '),
  };
}

/**
 * At par the value is the amount, rounded half up. A market or exchange value is the word of its
 * source.
 */
function judgeValue(
  { service, chain }: ReceiptMetadata,
  entry: TokenEntry | null,
  missing: Outcome,
): Judged {
  const { usdBasis, usdMicros, usdSource } = service;
  if (!entry) return { outcome: missing, detail: `the table of ${TABLE_DATE} has no such mint` };
  const { valuation } = entry;
  const basis = basisOf(valuation);
  if (basis === 'none')
    return {
      outcome: 'failed',
      detail: `${entry.symbol} has no value by the rules of this service`,
    };
  if (basis !== usdBasis)
    return {
      outcome: 'failed',
      detail: `${entry.symbol} is valued by ${basis}, not by ${usdBasis}`,
    };
  if (basis !== 'par' && usdSource === null)
    return { outcome: 'failed', detail: `a value by ${basis} needs a source, and none is named` };
  if (basis !== 'par') return { outcome: 'held', detail: `by ${basis}: stated by ${usdSource}` };
  const par = rescale(chain.amount, chain.decimals, USD_DECIMALS);
  if (usdSource !== null)
    return { outcome: 'failed', detail: `at par there is no source, not ${usdSource}` };
  if (par !== usdMicros)
    return { outcome: 'failed', detail: `at par it is ${par} micro-USD, not ${usdMicros}` };
  return { outcome: 'held', detail: `at par, ${usdMicros} micro-USD` };
}
