import { z } from 'zod';
import { codePoints, withoutGlyph } from '@quittance/verify/images/glyphs';
import {
  type CleanedLabel,
  cleanLabel,
  MOST_CHARACTERS,
} from '@quittance/verify/receipts/clean-label';

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
export const serviceTypeLabel = label(MOST_CHARACTERS.serviceType);
export const transactionTypeLabel = label(MOST_CHARACTERS.transactionType);
export const invoiceIdLabel = label(MOST_CHARACTERS.invoiceId);

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
  const reason = `must hold only characters that the image of the receipt can show, not ${named}`;
  return { ok: false, reason };
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
