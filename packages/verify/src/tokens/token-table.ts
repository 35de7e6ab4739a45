import { z } from 'zod';
import { isAfter, sinceDay } from '../chain/dated-list';
import type { Network } from '../network';
import table from './tokens.json';

/** Symbols of a DTI code in order of value: digits and capitals without vowels and Y (ISO 24165-1). */
const ALPHABET = '0123456789BCDFGHJKLMNPQRSTVWXZ';
const FORM = /^[1-9B-DF-HJ-NP-TV-XZ][0-9B-DF-HJ-NP-TV-XZ]{8}$/;

/** Bitcoin's code is older than the check character: the one exception among 5,819 registered codes. */
const BITCOIN = '4H95J0R2X';

/** Whether a text is a Digital Token Identifier of ISO 24165 with a right check character. */
export function isDti(code: string): boolean {
  if (code === BITCOIN) return true;
  if (!FORM.test(code) || code.slice(0, 8) === BITCOIN.slice(0, 8)) return false;
  return checkCharacter(code.slice(0, 8)) === code[8];
}

/** Check character over the first eight, ISO/IEC 7064 hybrid system MOD 31,30. */
export function checkCharacter(base: string): string {
  let product = 30;
  for (const symbol of base) {
    const sum = (product + ALPHABET.indexOf(symbol)) % 30 || 30;
    product = (2 * sum) % 31;
  }
  return ALPHABET.charAt((31 - product) % 30);
}

/**
 * The service's record of a token. `valuation` says how an amount becomes US dollars. `par`: one
 * unit is one dollar. Others use the rate of a currency, or the market price of SOL. Null: it
 * cannot be valued.
 */
export type TokenEntry = {
  /** Mint address; null for native SOL. */
  mint: string | null;
  symbol: string;
  /** Digital Token Identifier (ISO 24165) of this token on Solana. */
  dtifCode: string | null;
  /** Identifier of the group of equal tokens across ledgers. */
  groupCode: string | null;
  valuation: 'par' | { fx: 'EUR' } | 'market' | null;
};

const code = z.string().refine(isDti, 'must be a DTI code with a right check character').nullable();

const VALUATIONS = { par: 'par', EUR: { fx: 'EUR' }, SOL: 'market', none: null } as const;

/**
 * One line of tokens.json: mint, symbol, DTI code, group code and the value of one unit. If the
 * value came later than the table, it also has the day from which every release of the service
 * values it ({@link sinceDay}).
 */
const line = z
  .tuple([
    z.string().nullable(),
    z.string().min(1),
    code,
    code,
    z.enum(['par', 'EUR', 'SOL']).nullable(),
    sinceDay.optional(),
  ])
  .transform(([mint, symbol, dtifCode, groupCode, valuation, day]): Line => ({
    entry: { mint, symbol, dtifCode, groupCode, valuation: VALUATIONS[valuation ?? 'none'] },
    valuedSince: day ?? null,
  }));
type Line = { entry: TokenEntry; valuedSince: Date | null };

/** `since`: the day of the first release with the table. No document is older. Lines without a day are of that day. */
const tableOfLines = z
  .object({ since: sinceDay, lines: z.array(line) })
  .refine(({ since: start, lines }) =>
    lines.every(({ valuedSince }) => valuedSince === null || valuedSince > start),
  );

/** The day of the newest registry extract that the table is made from. */
export const TABLE_DATE = '2026-04-24';

/**
 * Up to this day no release of the service had another token or another code than the table, so an
 * older mint cannot name one. Move it forward whenever the table changes.
 */
export const TABLE_WHOLE_UNTIL = new Date('2026-11-30T00:00:00Z');

/**
 * The table, from tokens.json. Codes of mainnet: registry extracts of 2024-09 and 2026-04 that
 * kipcole9/digital_token publishes (Apache-2.0), EURC and three more from 0xcounting/FAR (CC0).
 *
 * Mints of the dollar tokens come from public registries and code and were not compared with the
 * issuers' pages. USDS is by its registration with Wormhole NTT, USD1 by the CCIP directory of
 * docs.chain.link. No DTI code of USDG, USDS or USD1 on Solana was registered in April 2026. USDC
 * and PYUSD on devnet: the mints of their issuers' faucets; tokens of a test cluster have no codes.
 *
 * If the registered symbol of a token is that of a token with a valuation, its registered name is
 * used instead. So none can pass for another.
 */
const { since, mainnet, devnet } = table;

/** The tokens of one network. */
export type TokenTable = {
  /** The token of a mint, or null; with a time, without a valuation that came later. */
  byMint: (mint: string | null, tableOf?: Date) => TokenEntry | null;
  /** Days from which later valuations count. */
  days: () => Date[];
  list: () => TokenEntry[];
};

/** The embedded chain has the mints of mainnet. */
const TABLES: Readonly<Record<Network, TokenTable>> = {
  local: readTable({ since, lines: mainnet }),
  mainnet: readTable({ since, lines: mainnet }),
  devnet: readTable({ since, lines: devnet }),
};

/** A table of its day and its lines; throws a ZodError where one does not hold. */
export function readTable(o: { since: string; lines: unknown }): TokenTable {
  const { lines: all } = tableOfLines.parse(o);
  const byMint = new Map(all.map((one) => [one.entry.mint, one]));
  return {
    byMint: (mint, tableOf) => {
      const found = byMint.get(mint);
      if (!found) return null;
      return isAfter(found.valuedSince, tableOf)
        ? { ...found.entry, valuation: null }
        : found.entry;
    },
    days: () => all.flatMap(({ valuedSince }) => valuedSince ?? []),
    list: () => all.map(({ entry }) => entry),
  };
}

/** The entry of one line; throws a ZodError for a line that does not hold. */
export function parseTokenLine(value: unknown): TokenEntry {
  return line.parse(value).entry;
}

/**
 * The token of a mint (null: native SOL) on a network, or null when the table has none. With a time, without a
 * valuation that came later.
 */
export function tokenByMint(
  mint: string | null,
  network: Network,
  tableOf?: Date,
): TokenEntry | null {
  return TABLES[network].byMint(mint, tableOf);
}

/** Days from which later valuations count. */
export function valuationDays(network: Network): Date[] {
  return TABLES[network].days();
}

/** The basis of a token's value, in the words of receipts and statements. */
export function basisOf(valuation: TokenEntry['valuation']): 'none' | 'par' | 'market' | 'fx' {
  if (valuation === null) return 'none';
  return typeof valuation === 'string' ? valuation : 'fx';
}

/** All tokens of a network, those with a valuation first. */
export function listTokens(network: Network): TokenEntry[] {
  return TABLES[network].list();
}
