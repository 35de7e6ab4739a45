import { stringify } from 'csv-stringify/sync';

/** Starts of a cell that spreadsheets run as a formula (OWASP, CSV injection), full-width forms too. */
const FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;

/**
 * Free text for a cell, kept from being run by a spreadsheet with a leading `'`. For text alone: a
 * negative number must stay a number. Null is an empty cell.
 */
export function textCell(text: string | null): string {
  if (text === null) return '';
  return FORMULA.test(text) ? `'${text}` : text;
}

/** Records as RFC 4180: CRLF after each, quotes where a cell needs them. */
export function csvLines(records: readonly (readonly string[])[]): string {
  return stringify(
    records.map((record) => [...record]),
    // The library looks for whole record delimiters; a lone CR or LF needs quotes as well.
    { record_delimiter: '\r\n', quoted_match: /[\r\n]/ },
  );
}
