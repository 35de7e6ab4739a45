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
