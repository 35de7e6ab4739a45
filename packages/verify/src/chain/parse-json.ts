/**
 * A quick test, wrong for a text with such a number inside a string. Fractions have as many digits,
 * and do not count.
 */
const MAY_HOLD_LONG = /(?:^|[:[,])\s*-?\d{16,}(?![\d.eE])/;

/**
 * Parses JSON without losing digits: whole numbers of 16 digits and more, which lamports can be, become
 * strings. Undefined when the text is no JSON.
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(
      MAY_HOLD_LONG.test(text)
        ? text.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, quoteLong)
        : text,
    );
  } catch {
    return undefined;
  }
}

function quoteLong(token: string): string {
  return /^\d{16,}$/.test(token) ? `"${token}"` : token;
}
