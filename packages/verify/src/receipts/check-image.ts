import { attempt, notJudged, outcomeOf, type CheckLine } from './check-line';
import { faultOfImage } from '../images/image-form';
import { FACTS_KEY, factsDigest, readFactsDigest } from './image-digest';

const ID = 'picture_of_facts';
const TITLE = 'The image carries the digest of these facts';

/** Images of the third template carry the digest of their facts. */
const FIRST_WITH_DIGEST = 3;
/**
 * Whether the image carries the digest of this metadata. No line for one of a template from before images carried
 * a digest: its image is compared by eye.
 */
export function checkImage(o: {
  /** By which template it was written; the first does not name itself. */
  metadata: { template?: number | undefined } | null;
  bytes: Uint8Array;
  image: Uint8Array;
}): CheckLine[] {
  const { metadata } = o;
  if (!metadata) return [notJudged(ID, TITLE, 'the metadata cannot be read')];
  const digest = readFactsDigest(o.image);
  const template = metadata.template ?? 1;
  if (template < FIRST_WITH_DIGEST && digest === null) return [];
  const wanted = attempt(() => factsDigest(o.bytes));
  const detail =
    digest === wanted
      ? `it carries ${digest ?? ''}`
      : `it carries ${digest ?? 'no digest'}, not ${wanted ?? ''}`;
  return [
    { id: ID, title: TITLE, outcome: outcomeOf(digest !== null && digest === wanted), detail },
    ...(template < FIRST_WITH_DIGEST ? [] : [checkForm(o.image)]),
  ];
}

/** A viewer shows everything in the file, so it must hold nothing but the pixels. */
function checkForm(image: Uint8Array): CheckLine {
  const fault = faultOfImage(image, FACTS_KEY);
  return {
    id: 'picture_form',
    title: 'The file is a single image in the form that the service writes',
    outcome: outcomeOf(fault === null),
    detail: fault ?? 'a PNG with a palette',
  };
}
