import { z } from 'zod';
import { cleanLabel, MOST_CHARACTERS } from '@quittance/verify/receipts/clean-label';
import { type JudgedLabel, judgeLabel, refusalSentence } from './judge-label';

/** The caller's texts about a payment; permanent, public, and the caller's word only. */
export type Labels = {
  serviceType: string;
  transactionType: string | null;
  invoiceId: string | null;
};

/**
 * Any text that {@link judgeLabel} takes; parsing returns it cleaned. Lengths are counted in code points. An issue has the
 * refusal in its `params`.
 */
export const serviceTypeLabel = label(MOST_CHARACTERS.serviceType);
export const transactionTypeLabel = label(MOST_CHARACTERS.transactionType);
export const invoiceIdLabel = label(MOST_CHARACTERS.invoiceId);

function label(most: number) {
  return judgedText((text) => judgeLabel(text, most));
}

/** Text for our pages alone: of the form of a label, in any script, and it may name a site. */
export function plainLine(o: { most: number; mayBeEmpty?: boolean }) {
  return judgedText((text) =>
    o.mayBeEmpty && text.trim() === '' ? { ok: true, text: '' } : cleanLabel(text, o.most),
  );
}

function judgedText(judge: (text: string) => JudgedLabel) {
  return z.string().transform((text, ctx) => {
    const judged = judge(text);
    if (judged.ok) return judged.text;
    const { refusal } = judged;
    ctx.addIssue({ code: 'custom', message: refusalSentence(refusal), params: { refusal } });
    return z.NEVER;
  });
}

/**
 * Text that a person or another machine supplied, safe to print on a terminal or a log line. Every
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
