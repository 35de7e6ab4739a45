import type { IssuerDocument } from './issuer-document';

/** A difference between a newer document and an older one. `subject` is the key or the address. */
export type Rewritten = {
  subject: string;
  text: string;
  /** In milliseconds: the two differ on this time alone; left out where what they differ on is not bounded. */
  between?: { from: number; until: number };
};

type Entry = {
  subject: string;
  kind: string;
  from: string;
  until: string | null;
  isRevoked: boolean;
  /**
   * The use of a collection: its type, and the kind of NFTs minted into it, if that is on record.
   */
  uses: readonly (string | null)[];
};

/**
 * The differences that a newer document of an issuer must not have from an older one:
 * - an entry that is gone
 * - a time that moved
 * - an end or a revocation that was removed
 * - a new entry dated before the older document
 *
 * A key that was revoked later may end earlier than before, and with it its trees and collections.
 */
export function compareIssuers(older: IssuerDocument, newer: IssuerDocument): Rewritten[] {
  const [before, after] = [entriesOf(older), entriesOf(newer)];
  const mayEndEarlier = [...after].some(
    ([name, { isRevoked }]) => isRevoked && before.get(name)?.isRevoked !== true,
  );
  const changed = [...before].flatMap(([name, was]) => {
    const is = after.get(name);
    const change = is
      ? changeOf(was, is, { mayEndEarlier, since: older.issued_at })
      : { why: 'is gone' };
    if (change === null) return [];
    const { why, ...gap } = change;
    return [{ subject: was.subject, text: `${was.kind} ${was.subject} ${why}`, ...gap }];
  });
  const backdated = [...after].flatMap(([name, { subject, kind, from }]) =>
    older.issued_at !== undefined &&
    !before.has(name) &&
    Date.parse(from) < Date.parse(older.issued_at)
      ? [{ subject, text: `${kind} ${subject} is new, and dated ${from}` }]
      : [],
  );
  return [...changed, ...backdated];
}

/** Null if the entry was not rewritten. */
function changeOf(
  was: Entry,
  is: Entry,
  { mayEndEarlier, since }: { mayEndEarlier: boolean; since: string | undefined },
): ({ why: string } & Pick<Rewritten, 'between'>) | null {
  if (Date.parse(is.from) !== Date.parse(was.from))
    return { why: `was in use from ${was.from}, now from ${is.from}` };
  const [at] = was.uses.flatMap((one, n) => (isOther(one, is.uses[n]) ? [n] : []));
  if (at !== undefined)
    return { why: `was for ${was.uses[at] ?? ''}, now for ${is.uses[at] ?? ''}` };
  if (was.isRevoked && !is.isRevoked)
    return { why: 'was revoked, and is no longer listed as revoked' };
  const [old, now] = [endOf(was), endOf(is)];
  if (old === now || (now < old && (mayEndEarlier || is.isRevoked))) return null;
  // An entry in use may end, but not before the document that listed it as in use.
  const isOpen = was.until === null && (since === undefined || now >= Date.parse(since));
  if (isOpen) return null;
  const why = `was in use until ${was.until ?? 'now'}, now until ${is.until ?? 'now'}`;
  // For a key that was used again, the older document covers only the time between the key's end
  // and that document.
  return now > old && !was.isRevoked && since !== undefined
    ? { why, between: { from: old, until: Date.parse(since) } }
    : { why };
}

/** A fact that was not on record may be added. */
function isOther(was: string | null, is: string | null | undefined): boolean {
  return was !== null && (is ?? null) !== null && was !== is;
}

function endOf({ until }: Entry): number {
  return until === null ? Infinity : Date.parse(until);
}

function entriesOf(document: IssuerDocument): Map<string, Entry> {
  const keys = [
    ...document.creators.map((key) => ({ key, kind: 'creator key' })),
    ...document.storage_keys.map((key) => ({ key, kind: 'storage key' })),
  ].map(({ key, kind }): Entry => ({
    subject: key.public_key,
    kind,
    from: key.used_from,
    until: key.used_until,
    isRevoked: (key.revoked_at ?? null) !== null,
    uses: [],
  }));
  const accounts = [
    ...document.trees.map((one) => ({ one, kind: 'tree', uses: [] })),
    ...document.collections.map((one) => ({
      one,
      kind: 'collection',
      uses: [one.kind, one.holds ?? null],
    })),
  ].map(({ one, kind, uses }): Entry => ({
    subject: one.address,
    kind,
    from: one.used_from,
    until: one.used_until,
    isRevoked: false,
    uses,
  }));
  return new Map([...keys, ...accounts].map((entry) => [`${entry.kind} ${entry.subject}`, entry]));
}
