/** Longest labels of a receipt, in code points. */
export const MOST_CHARACTERS = { serviceType: 64, transactionType: 32, invoiceId: 64 } as const;

/** Characters that take no space or steer the text around them: bidi marks, joiners, fillers, tags. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]/gu;
const CONTROL = /\p{Cc}/gu;
const LONE_SURROGATE = /\p{Cs}/u;

/** Links and handles, looked for in the compatibility form, where full-width letters are plain ones. */
const LINKS = [
  /[a-z][a-z0-9+.-]*:\/\//,
  /(?<![\p{L}\p{N}])www\./u,
  /(?<![\p{L}\p{N}])(?:javascript|vbscript|mailto|tel|file|blob):/u,
  /(?<![\p{L}\p{N}])data:(?:\S|.*,)/u,
  /[\p{L}\p{N}]\.(?:[\p{L}\p{N}-]+\.)*\p{L}{2,}\/\S/u,
];
const HANDLE = /@[\p{L}_]|(?<![\p{L}\p{N}])@\p{N}/u;

export type CleanedLabel = { ok: true; text: string } | { ok: false; reason: string };

/**
 * Text that a person supplied, made fit to be printed for ever: NFC, without control, bidi and
 * invisible characters, white space collapsed. Refused with a reason: text that is then empty or longer
 * than `most` code points, a link, a handle or address with `@`, half of a surrogate pair. Cleaning what
 * is clean changes nothing.
 */
export function cleanLabel(text: string, most: number): CleanedLabel {
  if (LONE_SURROGATE.test(text)) return refuse('holds half of a surrogate pair');
  const cleaned = text
    .replace(INVISIBLE, '')
    .replace(/\s+/gu, ' ')
    .replace(CONTROL, '')
    .normalize('NFC')
    .replace(/ +/g, ' ')
    .trim();
  if (cleaned === '') return refuse('must hold at least one visible character');
  const length = [...cleaned].length;
  if (length > most) return refuse(`must have at most ${most} characters, has ${length}`);
  const plain = cleaned
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\u3002\uff0e\uff61]/g, '.');
  if (LINKS.some((link) => link.test(plain))) return refuse('must not hold a link');
  if (HANDLE.test(plain)) return refuse('must not hold an @handle or an e-mail address');
  return { ok: true, text: cleaned };
}

function refuse(reason: string): CleanedLabel {
  return { ok: false, reason };
}
