import { notJudged, outcomeOf, type CheckLine } from './check-line';
import { cleanLabel, MOST_CHARACTERS } from './clean-label';
import type { ReceiptMetadata } from './describe-parse';

const ID = 'labels_plain';
const TITLE = 'Labels and sources are plain text in the form that the service accepts';

/**
 * The words that somebody gave. Nobody can prove what they say, but their form is fixed. Since its first
 * release the service has refused line breaks, marks that turn the text around, and links. Joiners that a script or
 * an emoji needs came later. The words that the service refuses are not judged, because its list of them grows.
 */
export function checkLabels(metadata: ReceiptMetadata | null): CheckLine {
  if (!metadata) return notJudged(ID, TITLE, 'the metadata cannot be read');
  const { labels, service } = metadata;
  const wrong = [
    ...(['serviceType', 'transactionType', 'invoiceId'] as const).flatMap((name) =>
      isLabel(labels[name], MOST_CHARACTERS[name]) ? [] : [`the label ${name}`],
    ),
    ...[service.usdSource, ...(service.prices ?? []).map(({ source }) => source)].flatMap(
      (source) => (source === null || isPlain(source) ? [] : ['the source of a value']),
    ),
  ];
  const detail = wrong.length === 0 ? 'of one line each' : `${wrong.join(', ')} is not`;
  return { id: ID, title: TITLE, outcome: outcomeOf(wrong.length === 0), detail };
}

function isLabel(text: string | null, most: number): boolean {
  if (text === null) return true;
  const cleaned = cleanLabel(text, most);
  return cleaned.ok && cleaned.text === text;
}

const STEERING = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

function isPlain(text: string): boolean {
  return !STEERING.test(text);
}
