import { codePoints, withoutGlyph } from '@quittance/verify/images/glyphs';
import { cleanLabel, type FormRefusal } from '@quittance/verify/receipts/clean-label';
import { findDomain } from './find-domain';
import { findPrizeWords } from './find-prize-words';

/** Why the service writes no receipt with a label: a reason with its data, which each reader words. */
export type LabelRefusal =
  | FormRefusal
  /** `found`: the name of a site, the phrase, or the characters with their code points. */
  | { code: 'domain' | 'prize' | 'no_glyph'; found: string };

export type JudgedLabel = { ok: true; text: string } | { ok: false; refusal: LabelRefusal };

/**
 * A label in the form of a new receipt, or why it is refused. In addition to the rules of {@link
 * cleanLabel}, it names no site, promises no prize, and has only characters that the image can
 * show. Older receipts may name sites.
 */
export function judgeLabel(text: string, most: number): JudgedLabel {
  const cleaned = cleanLabel(text, most);
  if (!cleaned.ok) return cleaned;
  const refusal = refusalOf(cleaned.text);
  return refusal === null ? cleaned : { ok: false, refusal };
}

function refusalOf(text: string): LabelRefusal | null {
  const domain = findDomain(text);
  if (domain !== null) return { code: 'domain', found: domain };
  const prize = findPrizeWords(text);
  if (prize !== null) return { code: 'prize', found: prize };
  const missing = withoutGlyph(text);
  if (missing.length === 0) return null;
  const found = missing.map((cluster) => `${cluster} ${codePoints(cluster)}`).join(', ');
  return { code: 'no_glyph', found };
}

/** A refusal as one sentence of the REST interface, about the field whose name stands before it. */
export function refusalSentence(refusal: LabelRefusal): string {
  switch (refusal.code) {
    case 'empty':
      return 'At least one visible character is needed.';
    case 'too_long':
      return `At most ${refusal.most} characters are allowed, and it has ${refusal.length}.`;
    case 'half_character':
      return 'It contains half of a character (a lone surrogate). Send the whole text again.';
    case 'link':
      return 'Links are not allowed.';
    case 'handle':
      return 'Handles with @ and e-mail addresses are not allowed.';
    case 'domain':
      return `Web addresses such as "${refusal.found}" are not allowed. If it is not a web address, put a space after the dot.`;
    case 'prize':
      return `Wallets hide receipts with prize words such as "${refusal.found}". Use other words.`;
    case 'no_glyph':
      return `The image of the receipt cannot show ${refusal.found}. Use other characters.`;
  }
}
