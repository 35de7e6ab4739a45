import { attempt, notJudged, outcomeOf, type CheckLine } from './check-line';
import { factsDigest, readFactsDigest } from './picture-digest';

const ID = 'picture_of_facts';
const TITLE = 'The picture carries the digest of these facts';

/** Pictures of the third template carry the digest of their facts. */
const FIRST_WITH_DIGEST = 3;
/**
 * From this day on the service writes the third template. An older template is believed only of an NFT that the
 * chain has from before: otherwise an issuer could choose the template whose pictures nobody can tell apart.
 */
const DIGEST_SINCE = new Date('2026-12-01T00:00:00Z');

/**
 * Whether the picture carries the digest of this metadata. No line for a receipt from before pictures carried
 * one: its picture is compared by eye.
 */
export function checkPicture(o: {
  /** By which template it was written; the first does not name itself. */
  metadata: { template?: number | undefined } | null;
  bytes: Uint8Array;
  picture: Uint8Array;
  mintedAt: Date | null;
}): CheckLine[] {
  const { metadata, mintedAt } = o;
  if (!metadata) return [notJudged(ID, TITLE, 'the metadata cannot be read')];
  const digest = readFactsDigest(o.picture);
  const template = metadata.template ?? 1;
  if (template < FIRST_WITH_DIGEST && digest === null) {
    // Without a time of the mint, the lines that need one are unknown already.
    if (mintedAt === null || mintedAt < DIGEST_SINCE) return [];
    const why = `pictures of template ${template} carry no digest, and it was minted later`;
    return [notJudged(ID, TITLE, why)];
  }
  const wanted = attempt(() => factsDigest(o.bytes));
  const detail =
    digest === wanted
      ? `it carries ${digest ?? ''}`
      : `it carries ${digest ?? 'no digest'}, not ${wanted ?? ''}`;
  return [
    { id: ID, title: TITLE, outcome: outcomeOf(digest !== null && digest === wanted), detail },
  ];
}
