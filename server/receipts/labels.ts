import { z } from 'zod';
import { codePoints, withoutGlyph } from '@quittance/verify/images/glyphs';

/** What the caller says about a payment; permanent, public, and the caller's word only. */
export type Labels = {
  serviceType: string;
  transactionType: string | null;
  invoiceId: string | null;
};

/**
 * Any text that {@link cleanLabel} takes and that the image of a receipt can show; parsing returns it cleaned. Lengths are
 * counted in code points.
 */
export const serviceTypeLabel = label(64);
export const transactionTypeLabel = label(32);
export const invoiceIdLabel = label(64);

function label(most: number) {
  return z.string().transform((text, ctx) => {
    const cleaned = cleanLabel(text, most);
    const label = cleaned.ok ? drawable(cleaned.text) : cleaned;
    if (label.ok) return label.text;
    ctx.addIssue({ code: 'custom', message: label.reason });
    return z.NEVER;
  });
}

/** Refuses a label of which a character has no glyph, so that the image of the receipt could not show it. */
function drawable(text: string): CleanedLabel {
  const missing = withoutGlyph(text);
  if (missing.length === 0) return { ok: true, text };
  const named = missing.map((cluster) => `${cluster} ${codePoints(cluster)}`).join(', ');
  return refuse(`must hold only characters that the image of the receipt can show, not ${named}`);
}

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

/**
 * Text that a person or another machine supplied, safe to print on a terminal or a log line: every
 * control, invisible or bidi character and line break becomes its `\u{…}` escape.
 */
export function terminalSafe(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

function refuse(reason: string): CleanedLabel {
  return { ok: false, reason };
}

/** Stands in place of a label that the operator hid. */
const HIDDEN_LABEL = 'Hidden by the operator';

/** Labels of a receipt whose labels are hidden: the note in place of each that there is. */
export function hiddenLabels({ transactionType, invoiceId }: Labels): Labels {
  return {
    serviceType: HIDDEN_LABEL,
    transactionType: transactionType === null ? null : HIDDEN_LABEL,
    invoiceId: invoiceId === null ? null : HIDDEN_LABEL,
  };
}
