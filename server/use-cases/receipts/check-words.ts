import { cleanLabel, MOST_CHARACTERS } from '@quittance/verify/receipts/clean-label';
import { type JudgedLabel, judgeLabel } from '@/server/receipts/judge-label';
import type { Call } from '../call';
import { NAME_LENGTH } from '../registrations/schemas';
import type { CheckedWords, WordsBody, WordsInput } from '../web-schemas';

/**
 * The result for each entry of a form: the text that is written, or why it is refused. Pages ask
 * before a wallet signs. The rules are the same as when the entries are written.
 */
export function checkWords({ input }: Pick<Call<WordsInput>, 'input'>): WordsBody {
  const label = (text: string | undefined, most: number) =>
    checked(text, (given) => judgeLabel(given, most));
  return {
    service_type: label(input.service_type, MOST_CHARACTERS.serviceType),
    transaction_type: label(input.transaction_type, MOST_CHARACTERS.transactionType),
    invoice_id: label(input.invoice_id, MOST_CHARACTERS.invoiceId),
    business_name: checked(input.business_name, (given) => cleanLabel(given, NAME_LENGTH)),
  };
}

function checked(
  text: string | undefined,
  judge: (text: string) => JudgedLabel,
): CheckedWords | undefined {
  if (text === undefined) return undefined;
  const judged = judge(text);
  return judged.ok ? { text: judged.text } : { refusal: judged.refusal };
}
