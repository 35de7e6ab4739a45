import { notJudged, outcomeOf, type CheckLine } from './check-line';

const ID = 'template_in_use';
const TITLE = 'The template was in use when the NFT was minted';

/**
 * From this day on the service writes only the third template and later ones, for receipts and statements, and their
 * images name the packages that drew them. A fact that an older template lacks cannot be checked.
 * Otherwise an issuer could choose an older one for that reason.
 */
const FIRST_IN_USE = 3;
export const ALONE_SINCE = new Date('2027-01-15T00:00:00Z');

/**
 * An older template is believed only for an NFT that was minted before that day. A file with an
 * earlier time of issue and a later mint may have waited for its mint, which cannot be decided.
 */
export function checkTemplateUse(o: {
  /** The first template does not name itself. */
  metadata: { template?: number | undefined } | null;
  issuedAt: Date | null;
  mintedAt: Date | null;
}): CheckLine {
  const { metadata, issuedAt, mintedAt } = o;
  if (!metadata) return notJudged(ID, TITLE, 'the metadata cannot be read');
  const template = metadata.template ?? 1;
  if (template >= FIRST_IN_USE)
    return { id: ID, title: TITLE, outcome: 'held', detail: `template ${template}` };
  if (!mintedAt) return notJudged(ID, TITLE, 'the mint transaction has no time');
  const detail = `template ${template} was in use until ${ALONE_SINCE.toISOString()}, the NFT was minted ${mintedAt.toISOString()}`;
  if (mintedAt >= ALONE_SINCE && issuedAt !== null && issuedAt < ALONE_SINCE)
    return notJudged(ID, TITLE, detail);
  return { id: ID, title: TITLE, outcome: outcomeOf(mintedAt < ALONE_SINCE), detail };
}
