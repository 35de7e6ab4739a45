import { NEEDED_SEQUENCES } from './joiners';

/** Longest labels of a receipt, in code points. */
export const MOST_CHARACTERS = { serviceType: 64, transactionType: 32, invoiceId: 64 } as const;

/** Characters that take no space or steer the text around them: bidi marks, joiners, fillers, tags. */
const INVISIBLE = '[\\p{Cf}\\p{Default_Ignorable_Code_Point}\\p{Noncharacter_Code_Point}\\u2800]';
const ALL_INVISIBLE = new RegExp(INVISIBLE, 'gu');
const INVISIBLE_UNLESS_NEEDED = new RegExp(`(${NEEDED_SEQUENCES})|${INVISIBLE}`, 'gu');
const CONTROL = /\p{Cc}/gu;
const LONE_SURROGATE = /\p{Cs}/u;
/** The full stop of Chinese and Japanese, in the plain form. Browsers take it for a dot. */
export const IDEOGRAPHIC_STOPS = /\u3002/g;

/** Links and handles, looked for in the plain form. */
const LINKS = [
  /[a-z][a-z0-9+.-]*:\/\//,
  /(?<![\p{L}\p{N}])www\./u,
  /(?<![\p{L}\p{N}])(?:javascript|vbscript|mailto|tel|file|blob):/u,
  /(?<![\p{L}\p{N}])data:(?:\S|.*,)/u,
  /[\p{L}\p{N}]\.(?:[\p{L}\p{N}-]+\.)*\p{L}{2,}\/\S/u,
];
const HANDLE = /@[\p{L}_]|(?<![\p{L}\p{N}])@\p{N}/u;

/** Why a text cannot be a label, for whoever words it. */
export type FormRefusal =
  | { code: 'empty' }
  | { code: 'too_long'; most: number; length: number }
  | { code: 'half_character' }
  | { code: 'link' }
  | { code: 'handle' };

export type CleanedLabel = { ok: true; text: string } | { ok: false; refusal: FormRefusal };

/**
 * Text that a person supplied, made fit to be printed for ever: NFC, without control, bidi and
 * invisible characters, white space collapsed. Joiners stay where {@link NEEDED_SEQUENCES} needs them. Refused: text
 * that is then empty or longer than `most` code points, a link, a handle or address with `@`, half of a surrogate pair.
 * Cleaning what is clean changes nothing.
 */
export function cleanLabel(text: string, most: number): CleanedLabel {
  if (LONE_SURROGATE.test(text)) return refuse({ code: 'half_character' });
  const cleaned = clean(text);
  if (cleaned === '') return refuse({ code: 'empty' });
  const length = [...cleaned].length;
  if (length > most) return refuse({ code: 'too_long', most, length });
  const plain = plainForm(cleaned).replace(IDEOGRAPHIC_STOPS, '.');
  if (LINKS.some((link) => link.test(plain))) return refuse({ code: 'link' });
  if (HANDLE.test(plain)) return refuse({ code: 'handle' });
  return { ok: true, text: cleaned };
}

/** A text as it is compared: compatibility form, where full-width letters are plain ones, lower case, no joiners. */
export function plainForm(text: string): string {
  return text.replace(ALL_INVISIBLE, '').normalize('NFKC').toLowerCase();
}

/** Repeated until nothing changes: a mark that joins its letter can change what a joiner beside it is for. */
function clean(text: string): string {
  const once = text
    .replace(INVISIBLE_UNLESS_NEEDED, '$1')
    .replace(/\s+/gu, ' ')
    .replace(CONTROL, '')
    .normalize('NFC')
    .replace(/ +/g, ' ')
    .trim();
  return once === text ? text : clean(once);
}

function refuse(refusal: FormRefusal): CleanedLabel {
  return { ok: false, refusal };
}
