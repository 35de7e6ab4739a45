import { z } from 'zod';
import { cleanLabel } from './clean-label';

/** What the caller says about a payment; permanent, public, and the caller's word only. */
export type Labels = {
  serviceType: string;
  transactionType: string | null;
  invoiceId: string | null;
};

/** Any text that {@link cleanLabel} takes, given back cleaned; lengths are counted in code points. */
export const serviceTypeLabel = label(64);
export const transactionTypeLabel = label(32);
export const invoiceIdLabel = label(64);

function label(most: number) {
  return z.string().transform((text, ctx) => {
    const cleaned = cleanLabel(text, most);
    if (cleaned.ok) return cleaned.text;
    ctx.addIssue({ code: 'custom', message: cleaned.reason });
    return z.NEVER;
  });
}
