import { IDEOGRAPHIC_STOPS, plainForm } from '@quittance/verify/receipts/clean-label';
import { TOP_LEVEL_DOMAINS } from './top-level-domains';

/** Parts that only dots are between, as in `www.example.com`, `node.js` and `v1.2.3`. */
const DOTTED = /[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)+/gu;

/** Endings of files that are top-level domains as well, and on receipts are most often files. */
const FILE_ENDINGS: ReadonlySet<string> = new Set([
  ...['java', 'md', 'mov', 'pl', 'ps', 'py', 'rs', 'sh', 'zip'],
]);
/** "Number" in English and German (`Inv.No`, `Art.Nr`). Norway and Nauru have few domains of strangers. */
const NUMBERS: ReadonlySet<string> = new Set(['no', 'nr']);
/** Company forms, degrees and products that are written like a domain. */
const WORDS: ReadonlySet<string> = new Set([
  ...['co.kg', 'co.ltd', 'pte.ltd', 'pty.ltd', 'pvt.ltd'],
  ...['b.sc', 'm.sc', 'ado.net', 'asp.net', 'vb.net'],
]);

/** Cyrillic and Greek letters, and the Latin ones that each looks like, so that `.соm` in Cyrillic is found. */
const FOREIGN = 'авсеніјкморѕтухѡԁӏɡıαεικνορτυχ';
const LATIN = 'abcehijkmopstyxwdlgiaeikvoptux';
const LOOK_ALIKES: ReadonlyMap<string, string> = new Map(
  Array.from(FOREIGN, (letter, at) => [letter, LATIN.charAt(at)]),
);

/**
 * The first domain name in a text without a scheme, such as `evil.com`, in lower case; null for none. Wallets hide NFTs
 * that name one. A domain is letters, a dot and a top-level domain of {@link TOP_LEVEL_DOMAINS}.
 */
export function findDomain(text: string): string | null {
  const plain = plainForm(text);
  // Most often this stop ends a sentence.
  const withDots = plain.replace(IDEOGRAPHIC_STOPS, '.');
  const isAscii = (domain: string) => /^[a-z]+$/.test(domain);
  return (
    firstDomain(plain, () => true) ?? (withDots === plain ? null : firstDomain(withDots, isAscii))
  );
}

/** A text with the letters that look like Latin ones as these. */
export function withoutLookAlikes(text: string): string {
  return Array.from(text, (one) => LOOK_ALIKES.get(one) ?? one).join('');
}

function firstDomain(plain: string, counts: (topLevel: string) => boolean): string | null {
  for (const [dotted] of plain.matchAll(DOTTED)) {
    if (WORDS.has(dotted)) continue;
    const parts = dotted.split('.');
    const isDomain = parts.some((part, at) => {
      const topLevel = topLevelOf(part);
      const before = parts[at - 1];
      if (topLevel === null || before === undefined || !counts(topLevel)) return false;
      if (FILE_ENDINGS.has(topLevel) || NUMBERS.has(topLevel)) return false;
      // `3.pm` is a time, and `Inv.id.7` names no country.
      const isCountry = topLevel.length === 2;
      return !isCountry || (at === parts.length - 1 && !/^\p{N}+$/u.test(before));
    });
    if (isDomain) return dotted;
  }
  return null;
}

/** The top-level domain at the start of a part (`com-claim` too); null for none. */
function topLevelOf(part: string): string | null {
  if (/^xn--[a-z0-9-]+$/.test(part)) return part;
  const [word = ''] = part.split('-');
  if (TOP_LEVEL_DOMAINS.has(word)) return word;
  const latin = withoutLookAlikes(word);
  // Short ones are words: "со" is Russian for "with".
  return latin !== word && latin.length > 2 && TOP_LEVEL_DOMAINS.has(latin) ? latin : null;
}
