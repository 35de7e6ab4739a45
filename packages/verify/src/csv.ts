/** Starts of a cell that spreadsheets run as a formula (OWASP, CSV injection), full-width forms too. */
const FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;
/** The same behind a semicolon, where spreadsheets of many countries begin a cell, quoted or not. */
const FORMULA_WITHIN = /;(?=\s*[=+\-@\uff1d\uff0b\uff0d\uff20])/g;
/** Characters for which a cell must be quoted (RFC 4180, 2.6). */
const SPECIAL = /[",\r\n]/;

/**
 * Free text for a cell. A `'` before a formula keeps spreadsheets from running it. For text alone:
 * a negative number must stay a number. Null is an empty cell.
 */
export function textCell(text: string | null): string {
  if (text === null) return '';
  const safe = text.replaceAll(FORMULA_WITHIN, ";'");
  return FORMULA.test(safe) ? `'${safe}` : safe;
}

/**
 * A record of RFC 4180: CRLF at its end, quotes where a cell needs them. Own code, because the
 * usual library takes several times as long, and leaves a lone CR or LF unquoted where records end
 * in CRLF.
 */
export function csvLine(record: readonly string[]): string {
  return `${record.map(quoted).join(',')}\r\n`;
}

function quoted(cell: string): string {
  return SPECIAL.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** The records of a CSV as {@link csvLine} writes it: any cells, quoted or not, CRLF after each record. */
export function parseCsv(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  for (const [, quotedCell, bare, end] of text.matchAll(CELL)) {
    record.push(quotedCell?.replaceAll('""', '"') ?? bare ?? '');
    if (end === ',') continue;
    records.push(record);
    record = [];
  }
  return records;
}

/** A cell and what ends it. */
const CELL = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g;
