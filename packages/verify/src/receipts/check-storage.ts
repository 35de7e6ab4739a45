import { verifyItemParts, type ItemParts } from '../storage/verify-item';
import {
  attempt,
  notJudged,
  outcomeOf,
  wasInUse,
  type CheckLine,
  type Outcome,
  worstOf,
} from './check-line';
import { earliestIssue, mintTime } from './minted-leaf';
import type { MintedSubject, MintEvidence } from './check-evidence';

type Published = MintEvidence['metadata'];

/** The published files: whole, signed, by the issuer's storage key, and the one naming the other. */
export function checkStorage(o: {
  evidence: Pick<MintEvidence, 'issuer' | 'metadata' | 'image' | 'mintTransaction'>;
  subject: MintedSubject | null;
}): CheckLine[] {
  const { metadata: file, image } = o.evidence;
  return [
    signed('metadata_signed', 'The metadata is, byte for byte, a signed storage item', file),
    signed('image_signed', 'The image is, byte for byte, a signed storage item', image),
    tagged(o.subject, [file.item, image.item]),
    named(o.subject, image.item),
    signedByIssuer(o.evidence, o.subject, [file.item, image.item]),
  ];
}

function signed(id: string, title: string, { bytes, item }: Published): CheckLine {
  if (!Buffer.from(bytes).equals(item.data))
    return { id, title, outcome: 'failed', detail: `the bytes are not those of item ${item.id}` };
  const held = attempt(() => verifyItemParts(item)) === true;
  const detail = held
    ? `item ${item.id} is signed by ${item.owner}`
    : `the signature or the id of item ${item.id} does not fit its content`;
  return { id, title, outcome: outcomeOf(held), detail };
}

const FILE_TYPES = ['application/json', 'image/png'] as const;

/** Tags are signed with a file: browsers take its type from them, and gateways find it by them. */
function tagged(subject: MintedSubject | null, items: readonly ItemParts[]): CheckLine {
  const id = 'files_tagged';
  const title = 'Both files are stored as JSON and PNG, under this id and no other';
  if (!subject) return notJudged(id, title, 'the metadata cannot be read');
  const wrong = items.flatMap(({ tags }, at) => {
    const types = tags.filter(({ name }) => name.toLowerCase() === 'content-type');
    const [type, ...more] = types.map(({ value }) => value);
    const others = tags.filter(
      ({ name, value }) => ID_TAGS.has(name.toLowerCase()) && value !== subject.id,
    );
    return [
      ...(type === FILE_TYPES[at]
        ? []
        : [`stored as ${type ?? 'nothing'}, not ${FILE_TYPES[at] ?? ''}`]),
      ...more.map((value) => `stored as ${value} as well`),
      ...others.map(({ name, value }) => `${name} is ${value}, not ${subject.id}`),
    ];
  });
  const detail = wrong.length === 0 ? FILE_TYPES.join(', ') : wrong.join('; ');
  return { id, title, outcome: outcomeOf(wrong.length === 0), detail };
}

const ID_TAGS: ReadonlySet<string> = new Set(['receipt-id', 'statement-id']);

function named(subject: MintedSubject | null, image: ItemParts): CheckLine {
  const id = 'image_named';
  const title = 'The metadata names this image';
  if (!subject) return notJudged(id, title, 'the metadata cannot be read');
  const held = itemIdOf(subject.imageUri) === image.id;
  return { id, title, outcome: outcomeOf(held), detail: `it names ${subject.imageUri}` };
}

/**
 * The issuer chooses the time in the metadata, so the time of the mint, which the chain shows, must
 * fit as well. A file may have waited for its mint, but not with a revoked key.
 */
function signedByIssuer(
  { issuer, mintTransaction }: Pick<MintEvidence, 'issuer' | 'mintTransaction'>,
  subject: MintedSubject | null,
  items: ItemParts[],
): CheckLine {
  const id = 'storage_key_ours';
  const title = 'Both files are signed by a storage key of the issuer';
  if (!subject) return notJudged(id, title, 'the metadata cannot be read');
  const { issuedAt } = subject;
  const at = mintTime({ mintTransaction });
  const owners = [...new Set(items.map(({ owner }) => owner))];
  const judgeKey = (owner: string): Outcome => {
    const key = issuer.storage_keys.find(({ public_key }) => public_key === owner);
    if (!key || !wasInUse(key, issuedAt)) return 'failed';
    if (at === null || wasInUse(key, key.revoked_at ? at : earliestIssue(at, issuedAt)))
      return 'held';
    return key.revoked_at ? 'failed' : 'unknown';
  };
  const judged = owners.map((owner) => ({ owner, outcome: judgeKey(owner) }));
  const outcome = worstOf(judged.map((one) => one.outcome));
  const times = `issued ${issuedAt.toISOString()}, minted ${at?.toISOString() ?? 'at no known time'}`;
  const wrong = judged.find((one) => one.outcome === outcome);
  if (outcome === 'unknown')
    return notJudged(
      id,
      title,
      `${wrong?.owner ?? ''} had ended more than a day before the mint: ${times}`,
    );
  const detail =
    outcome === 'failed'
      ? `${wrong?.owner ?? ''} was not a storage key of the issuer at both times: ${times}`
      : `signed by ${owners.join(' and ')}`;
  return { id, title, outcome, detail };
}

/**
 * A storage address ends with the item's id; any gateway may serve it. Null for a text that is not
 * a web address or has more than a path: it may show something else than the item.
 */
export function itemIdOf(uri: string): string | null {
  const path = webPathOf(uri);
  return path?.split('/').at(-1) ?? null;
}

/** The path of an http or https address without a query and a fragment; null for any other. */
export function webPathOf(uri: string): string | null {
  const url = attempt(() => new URL(uri));
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return null;
  return /[?#]/.test(uri) ? null : url.pathname;
}
