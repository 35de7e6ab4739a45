import { z } from 'zod';
import type { LeafEvent } from '../nft/leaf';
import { compareIssuers, type Rewritten } from './compare-issuers';
import type { MintEvidence } from './check-evidence';
import { attempt, notJudged, outcomeOf, SLACK_MS, wasInUse, type CheckLine } from './check-line';
import { findLeaf, mintTime } from './minted-leaf';
import type { IssuerDocument } from './issuer-document';
import { isSignedIssuer } from './issuer-signature';

/** The issuer's document as it arrived, and the parsed part of it. */
export type GivenIssuer = { raw: object; document: IssuerDocument };

/**
 * The parts of the issuer's document that a receipt or a statement relies on: keys and addresses.
 */
type ReliedOn = ReadonlySet<string>;

/**
 * Checks the issuer's document: signed by a key of its own, newer than the NFT, of the site that
 * the NFT names. If the user has kept an older one, it must have no rewritten history. The user
 * decides whose document it is.
 */
export function checkIssuer(o: {
  issuer: GivenIssuer;
  /** An older document of the same issuer, kept by the user. */
  known: IssuerDocument | null;
  evidence: MintEvidence;
}): { lines: CheckLine[]; notes: string[] } {
  const { issuer, evidence, known } = o;
  const { document } = issuer;
  const relied = reliedOn(document, evidence, findLeaf(evidence));
  const mintedAt = mintTime(evidence);
  const history = known && judgeHistory({ known, now: document, relied, mintedAt });
  return {
    lines: [
      judgeSignature(issuer),
      judgeAge(document, mintedAt),
      judgeSite(document, pageUrlOf(evidence.metadata.bytes)),
      ...(history ? [history.line] : []),
    ],
    notes: [describeIssuer(document, relied), ...(history?.notes ?? [])],
  };
}

function judgeSignature({ raw, document }: GivenIssuer): CheckLine {
  const id = 'issuer_signed';
  const title = "The issuer's document is signed by a creator key that it lists as in use";
  const { signed_by: signedBy, signature, issued_at: issuedAt } = document;
  if (signedBy === undefined || signature === undefined || issuedAt === undefined)
    return notJudged(id, title, 'the document has no signature or no date');
  if (!isSignedIssuer(raw, { signedBy, signature }))
    return { id, title, outcome: 'failed', detail: `it is not what ${signedBy} signed` };
  const isListed = document.creators.some(
    (key) => key.public_key === signedBy && wasInUse(key, new Date(issuedAt)),
  );
  const detail = isListed
    ? `signed by ${signedBy} on ${issuedAt}`
    : `${signedBy} is no creator key in use on ${issuedAt}`;
  return { id, title, outcome: outcomeOf(isListed), detail };
}

/** A document from before the NFT cannot know whether its keys were still in use. */
function judgeAge({ issued_at: issuedAt }: IssuerDocument, mintedAt: Date | null): CheckLine {
  const id = 'issuer_current';
  const title = "The issuer's document is newer than the NFT";
  if (issuedAt === undefined) return notJudged(id, title, 'the document has no date');
  if (!mintedAt) return notJudged(id, title, 'the mint transaction has no time');
  if (Date.parse(issuedAt) + CLOCKS_MS < mintedAt.getTime())
    return notJudged(id, title, `it is of ${issuedAt}, the NFT of ${mintedAt.toISOString()}`);
  return { id, title, outcome: 'held', detail: `of ${issuedAt}` };
}

/** Clocks of a server and of the chain differ by seconds. */
const CLOCKS_MS = 60_000;

const paged = z.object({ external_url: z.url() });

/** Address of the page that the metadata of an NFT names; null when it cannot be read. */
export function pageUrlOf(metadata: Uint8Array): string | null {
  const json = attempt((): unknown => JSON.parse(new TextDecoder().decode(metadata)));
  const parsed = paged.safeParse(json);
  return parsed.success ? parsed.data.external_url : null;
}

/** The origin of an http address; null for anything else. */
export function originOf(url: string): string | null {
  return attempt(() => new URL(url).origin);
}

/** Sites move: another address is not a forgery, but it does not show whose document this is. */
function judgeSite({ url }: IssuerDocument, pageUrl: string | null): CheckLine {
  const id = 'issuer_site';
  const title = 'The NFT names a page on the site of the issuer';
  if (pageUrl === null) return notJudged(id, title, 'the metadata cannot be read');
  if (originOf(pageUrl) !== originOf(url))
    return notJudged(id, title, `it names ${pageUrl}, the issuer publishes at ${url}`);
  return { id, title, outcome: 'held', detail: pageUrl };
}

function judgeHistory(o: {
  known: IssuerDocument;
  now: IssuerDocument;
  relied: ReliedOn;
  mintedAt: Date | null;
}) {
  const { known, now, relied } = o;
  const id = 'issuer_history';
  const title = 'The history of the keys and trees it relies on matches the older document';
  if (known.network !== now.network)
    return { line: notJudged(id, title, `the older document is of ${known.network}`), notes: [] };
  const changes = compareIssuers(known, now);
  const isRelied = (one: Rewritten) => relied.has(one.subject) && isOf(one, o.mintedAt);
  const mattering = changes.filter(isRelied);
  const detail =
    mattering.length === 0
      ? `since ${known.issued_at ?? 'the older document'} nothing was rewritten`
      : mattering.map(({ text }) => text).join('; ');
  const notes = changes
    .filter((one) => !isRelied(one))
    .map(({ text }) => `Rewritten history that this check does not rely on: ${text}.`);
  return { line: { id, title, outcome: outcomeOf(mattering.length === 0), detail }, notes };
}

/** Whether the documents differ on the time of the mint; the ten minutes that clocks may differ count as before. */
function isOf({ between }: Rewritten, mintedAt: Date | null): boolean {
  if (!between || !mintedAt) return true;
  return mintedAt.getTime() > between.from + SLACK_MS && mintedAt.getTime() <= between.until;
}

function reliedOn(
  document: IssuerDocument,
  evidence: MintEvidence,
  leaf: LeafEvent | null,
): ReliedOn {
  const creators = leaf?.metadata.creators.filter(({ verified }) => verified) ?? [];
  const named = new Set<string>([
    ...creators.map(({ address }) => String(address)),
    evidence.metadata.item.owner,
    evidence.image.item.owner,
    ...(leaf ? [leaf.tree] : []),
    ...(leaf?.collection ? [leaf.collection] : []),
    ...(document.signed_by === undefined ? [] : [document.signed_by]),
  ]);
  named.delete('');
  return named;
}

/** The site and date of the document, and the keys in it that the receipt relies on. */
function describeIssuer(document: IssuerDocument, relied: ReliedOn): string {
  const keys = [
    ...document.creators.map((key) => ({ ...key, kind: 'creator key' })),
    ...document.storage_keys.map((key) => ({ ...key, kind: 'storage key' })),
  ]
    .filter(({ public_key }) => relied.has(public_key))
    .map(
      ({ kind, public_key, used_from, used_until, revoked_at }) =>
        `${kind} ${public_key} (from ${used_from} ${used_until === null ? 'on' : `to ${used_until}`}${revoked_at ? `, revoked ${revoked_at}` : ''})`,
    );
  const date = document.issued_at ?? 'no date';
  return `Issuer: ${document.service} at ${document.url}, ${document.network}, document of ${date}. Relied on: ${keys.join(', ') || 'no key that it lists'}.`;
}
