import { beforeAll, describe, expect, test } from 'vitest';
import { checkIssuer } from '@quittance/verify/receipts/check-issuer';
import type { ReceiptEvidence } from '@quittance/verify/receipts/check-evidence';
import { compareIssuers } from '@quittance/verify/receipts/compare-issuers';
import { issuerDocument, type IssuerDocument } from '@quittance/verify/receipts/issuer-document';
import { signIssuer } from '@quittance/verify/receipts/issuer-signature';
import { mintTime } from '@quittance/verify/receipts/minted-leaf';
import { makeEvidence, makeKey } from './evidence.fixture';

let good: ReceiptEvidence;
let minter: ReturnType<typeof makeKey>;
/**
 * The issuer's published document, dated after the mint, with a creator key whose secret this test
 * has.
 */
let issuer: IssuerDocument;
beforeAll(async () => {
  good = await makeEvidence();
  minter = makeKey();
  const [creator] = good.issuer.creators;
  if (!creator) throw new Error('the fixture has a creator');
  const own = { ...creator, public_key: minter.publicKey };
  issuer = { ...good.issuer, creators: [creator, own], issued_at: after(1) };
});

const HOUR_MS = 3_600_000;
const after = (hours: number) =>
  new Date((mintTime(good)?.getTime() ?? 0) + hours * HOUR_MS).toISOString();

function check(raw: object, known: IssuerDocument | null = null) {
  const document = issuerDocument.parse(raw);
  const { lines, notes } = checkIssuer({ issuer: { raw, document }, known, evidence: good });
  return { outcomes: Object.fromEntries(lines.map((one) => [one.id, one.outcome])), notes };
}
const signed = (change: Partial<IssuerDocument> = {}) =>
  signIssuer({ ...issuer, ...change }, minter);
const HELD = { issuer_signed: 'held', issuer_current: 'held', issuer_site: 'held' };

test('a signed document holds, and the output names whose it is, of when, and the keys relied on', () => {
  const { outcomes, notes } = check(signed());
  expect(outcomes).toEqual(HELD);
  expect(notes.join()).toContain(`quittance at ${issuer.url}, local, document of ${after(1)}`);
  expect(notes.join()).toContain(`storage key ${issuer.storage_keys[0]?.public_key ?? ''} (from `);
});

describe('the signature', () => {
  test('covers every field, one that this checker does not know too', () => {
    for (const change of [{ trees: [] }, { issued_at: after(2) }, { a_later_field: 1 }])
      expect(check({ ...signed(), ...change }).outcomes['issuer_signed']).toBe('failed');
    expect(check(signIssuer({ ...issuer, a_later_field: 1 }, minter)).outcomes).toEqual(HELD);
  });

  test('does not count from a key that is not listed, or was no longer in use', () => {
    const stranger = signIssuer(issuer, makeKey());
    expect(check(stranger).outcomes['issuer_signed']).toBe('failed');
    const ended = issuer.creators.map((key) => ({ ...key, used_until: after(0) }));
    expect(check(signed({ creators: ended })).outcomes['issuer_signed']).toBe('failed');
  });

  test('says nothing when it is missing', () => {
    const { issued_at, ...undated } = issuer;
    expect(issued_at).toBeDefined();
    expect(check(undated).outcomes).toEqual({
      ...HELD,
      issuer_signed: 'unknown',
      issuer_current: 'unknown',
    });
  });
});

test('a document from before the NFT, or of another site, decides nothing', () => {
  expect(check(signed({ issued_at: after(-0.5) })).outcomes['issuer_current']).toBe('unknown');
  expect(check(signed({ url: 'https://moved.example' })).outcomes['issuer_site']).toBe('unknown');
});

describe('beside an older document that the user kept,', () => {
  const older = () => ({ ...issuer, issued_at: after(0.5) });
  const history = (change: Partial<IssuerDocument>) =>
    check(signed({ issued_at: after(5), ...change }), older());
  const all = <T extends object>(list: readonly T[], change: Partial<T>) =>
    list.map((one) => ({ ...one, ...change }));

  test('the same, and what ends or begins since, is no rewritten history', () => {
    expect(history({}).outcomes['issuer_history']).toBe('held');
    const begun = {
      public_key: makeKey().publicKey,
      used_from: after(2),
      used_until: null,
      revoked_at: null,
    };
    const storage_keys = [...all(issuer.storage_keys, { used_until: after(2) }), begun];
    expect(history({ storage_keys }).outcomes['issuer_history']).toBe('held');
    const revoked = all(issuer.creators, { used_until: after(-1), revoked_at: after(4) });
    expect(compareIssuers(older(), { ...older(), creators: revoked })).toEqual([]);
  });

  test.each<[string, () => Partial<IssuerDocument>]>([
    ['a key that is gone', () => ({ storage_keys: [] })],
    [
      'a key that began earlier',
      () => ({ storage_keys: all(issuer.storage_keys, { used_from: after(-99) }) }),
    ],
    [
      'an end before that document',
      () => ({ storage_keys: all(issuer.storage_keys, { used_until: after(0) }) }),
    ],
    ['a tree that is gone', () => ({ trees: [] })],
    ['a tree that began later', () => ({ trees: all(issuer.trees, { used_from: after(0) }) })],
  ])('%s is not genuine where the receipt rests on it', (_, change) => {
    expect(history(change()).outcomes['issuer_history']).toBe('failed');
  });

  test('changes that the receipt does not rely on are shown, and so is a backdated key', () => {
    const other = { address: makeKey().publicKey, used_from: after(-9), used_until: null };
    const { outcomes, notes } = history({ trees: [...issuer.trees, other] });
    expect(outcomes['issuer_history']).toBe('held');
    expect(notes.join()).toContain(`tree ${other.address} is new, and dated ${after(-9)}`);
  });

  test('a key that is used again counts except for the time in which it was not in use', () => {
    const until = (used_until: string | null) => ({
      storage_keys: all(issuer.storage_keys, { used_until }),
    });
    const judged = (ended: string, keptAt: string) =>
      check(signed({ issued_at: after(9), ...until(null) }), {
        ...issuer,
        issued_at: keptAt,
        ...until(ended),
      });
    // Minted at 0: before the key ended, after the older document, and between the two.
    expect(judged(after(1), after(2)).outcomes['issuer_history']).toBe('held');
    expect(judged(after(-2), after(-1)).outcomes['issuer_history']).toBe('held');
    expect(judged(after(-2), after(1)).outcomes['issuer_history']).toBe('failed');
    expect(judged(after(1), after(2)).notes.join()).toContain('now until now');
  });

  test('a key that was used again and ended again is judged like one in use again', () => {
    const until = (used_until: string) => ({
      storage_keys: all(issuer.storage_keys, { used_until }),
    });
    const judged = (ended: string, keptAt: string) =>
      check(signed({ issued_at: after(9), ...until(after(8)) }), {
        ...issuer,
        issued_at: keptAt,
        ...until(ended),
      }).outcomes['issuer_history'];
    expect([judged(after(1), after(2)), judged(after(-2), after(1))]).toEqual(['held', 'failed']);
  });

  test('a collection for something else is rewritten, and one that is put on record is not', () => {
    const made = (kind: string, holds: string | null) => {
      const [tree] = issuer.trees;
      if (!tree) throw new Error('the fixture has a tree');
      return { ...older(), collections: [{ ...tree, kind, holds }] };
    };
    const changed = (kind: string, holds: string) =>
      compareIssuers(made('standard', 'receipt'), made(kind, holds)).map(({ text }) => text);
    expect(changed('standard', 'receipt')).toEqual([]);
    expect(changed('standard', 'statement').join()).toContain('was for receipt, now for statement');
    expect(changed('frozen', 'receipt').join()).toContain('was for standard, now for frozen');
    expect(compareIssuers(made('standard', null), made('standard', 'receipt'))).toEqual([]);
    // Of all times, also where its use began again.
    const was = made('standard', 'receipt');
    const ended = { ...was, collections: all(was.collections, { used_until: after(0.2) }) };
    expect(compareIssuers(ended, was)[0]).toHaveProperty('between');
    expect(compareIssuers(ended, made('frozen', 'receipt'))[0]).not.toHaveProperty('between');
  });

  test('an end or a revocation that was removed is rewritten history', () => {
    const was = all(issuer.creators, { used_until: after(-1), revoked_at: after(0) });
    const before = { ...older(), creators: was };
    const texts = compareIssuers(before, issuer).map(({ text }) => text);
    expect(texts).toHaveLength(2);
    expect(texts[0]).toContain('was revoked, and is no longer listed as revoked');
    const ended = { ...older(), creators: all(issuer.creators, { used_until: after(-1) }) };
    expect(compareIssuers(ended, issuer)[0]?.text).toContain('now until now');
  });
});
