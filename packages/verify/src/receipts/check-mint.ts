import { z } from 'zod';
import {
  collectionHashOf,
  creatorHashOf,
  dataHashOf,
  mintMetadataArgs,
  type LeafEvent,
} from '../nft/leaf';
import { attempt, notJudged, outcomeOf, SLACK_MS, wasInUse, type CheckLine } from './check-line';
import type { MintedSubject, MintEvidence } from './check-evidence';
import { mintTime } from './minted-leaf';
import { checkPlace } from './check-place';
import { itemIdOf } from './check-storage';

type Evidence = Pick<
  MintEvidence,
  'issuer' | 'metadata' | 'mintTransaction' | 'asset' | 'proof' | 'tree' | 'silences'
>;
/** Not every node keeps the inner calls of a transaction: null or nothing is no record of them. */
const keptCalls = z.object({ meta: z.object({ innerInstructions: z.array(z.unknown()) }) });
/** The observed value, or the missing part. */
type Judge = { held: boolean; detail: string } | { missing: string };

/**
 * The NFT: minted by the issuer, in its tree, for these files and this owner, and where it is now. `holder` is
 * what the owner is called. A receipt that was moved is as genuine as before.
 */
export function checkMint(o: {
  evidence: Evidence;
  subject: MintedSubject | null;
  holder: 'payer' | 'wallet';
  leaf: LeafEvent | null;
}): CheckLine[] {
  const { evidence, subject, holder, leaf } = o;
  const { issuer } = evidence;
  const holds: 'receipt' | 'statement' = holder === 'payer' ? 'receipt' : 'statement';
  const line = (id: string, title: string, judge: (leaf: LeafEvent) => Judge): CheckLine => {
    const judged = leaf ? judge(leaf) : { missing: 'the mint transaction shows no such leaf' };
    return 'missing' in judged
      ? notJudged(id, title, judged.missing)
      : { id, title, outcome: outcomeOf(judged.held), detail: judged.detail };
  };
  const atMint = (judge: (at: Date) => Judge): Judge => {
    const at = mintTime(evidence);
    return at ? judge(at) : { missing: 'the mint transaction has no time' };
  };
  return [
    minted(evidence, leaf),
    line('metadata_named', 'The NFT names this metadata', (leaf) => ({
      held: itemIdOf(leaf.metadata.uri) === evidence.metadata.item.id,
      detail: `it names ${leaf.metadata.uri}`,
    })),
    line('leaf_computed', 'The hashes of the leaf are those of the metadata', (leaf) =>
      subject ? computeHashes(subject, leaf) : { missing: NO_METADATA },
    ),
    line('creator_ours', 'The verified creator is a key of the issuer', (leaf) =>
      atMint((at) => {
        const creators = leaf.metadata.creators.filter(({ verified }) => verified);
        const held = issuer.creators.some(
          (key) => creators.some(({ address }) => address === key.public_key) && wasInUse(key, at),
        );
        const named = names(creators.map(({ address }) => address));
        return { held, detail: `${named} on ${at.toISOString()}` };
      }),
    ),
    line('tree_ours', 'The tree is one of the issuer', (leaf) =>
      atMint((at) => ({
        held: issuer.trees.some((one) => one.address === leaf.tree && wasInUse(one, at)),
        detail: `tree ${leaf.tree}`,
      })),
    ),
    line('collection_ours', 'The collection, if there is one, is one of the issuer', (leaf) => {
      if (leaf.collection === null) return { held: true, detail: 'no collection' };
      return atMint((at) => ({
        held: issuer.collections.some(
          (one) =>
            one.address === leaf.collection && wasInUse(one, at) && (one.holds ?? holds) === holds,
        ),
        detail: `collection ${leaf.collection} of ${holds}s`,
      }));
    }),
    line(`owner_is_${holder}`, `The NFT was minted to the ${holder}`, (leaf) =>
      subject
        ? {
            // A delegate could move or burn it.
            held: leaf.owner === subject.owner && leaf.delegate === leaf.owner,
            detail: `minted to ${leaf.owner}, delegate ${leaf.delegate}`,
          }
        : { missing: NO_METADATA },
    ),
    issuedAfter(subject),
    line('issued_in_time', 'The time of issue is before that of the mint', () =>
      subject
        ? atMint((at) => ({
            held: subject.issuedAt.getTime() <= at.getTime() + SLACK_MS,
            detail: `issued ${subject.issuedAt.toISOString()}, minted ${at.toISOString()}`,
          }))
        : { missing: NO_METADATA },
    ),
    ...checkPlace({ evidence, leaf }),
  ];
}

const NO_METADATA = 'the metadata cannot be read';

/** The time of the payment is held against the chain in another line. */
function issuedAfter(subject: MintedSubject | null): CheckLine {
  const id = 'issued_after_payment';
  const title = 'The time of issue is after that of the payment';
  if (!subject) return notJudged(id, title, NO_METADATA);
  const { issuedAt, paidAt } = subject;
  const held = issuedAt.getTime() + SLACK_MS >= paidAt.getTime();
  const detail = `paid ${paidAt.toISOString()}, issued ${issuedAt.toISOString()}`;
  return { id, title, outcome: outcomeOf(held), detail };
}

/** A mint transaction that no node gave says nothing; one that was given and holds no such leaf does. */
function minted(evidence: Evidence, leaf: LeafEvent | null): CheckLine {
  const { asset, mintTransaction, silences } = evidence;
  const id = 'minted';
  const title = 'The mint transaction wrote the leaf of this NFT';
  if (mintTransaction === null || mintTransaction === undefined)
    return notJudged(id, title, silences?.mint ?? 'the node has no such mint transaction');
  if (leaf === null && !keptCalls.safeParse(mintTransaction).success)
    return notJudged(id, title, 'the node keeps no inner instructions of the mint transaction');
  return {
    id,
    title,
    outcome: outcomeOf(leaf !== null),
    detail: leaf
      ? `asset ${asset.id} is leaf ${leaf.leafIndex} of tree ${leaf.tree}`
      : `it holds no leaf of asset ${asset.id}`,
  };
}

/** The leaf must hold the hashes that our mint of this metadata has. */
function computeHashes(subject: MintedSubject, leaf: LeafEvent): Judge {
  const [creator] = leaf.metadata.creators;
  const args = attempt(() =>
    mintMetadataArgs({
      name: subject.name,
      uri: leaf.metadata.uri,
      creator: creator?.address ?? '',
      collection: leaf.collection,
    }),
  );
  const wrong = args
    ? [
        dataHashOf(args) === leaf.dataHash ? null : 'data',
        creatorHashOf(args.creators) === leaf.creatorHash ? null : 'creator',
        collectionHashOf(leaf.collection) === leaf.collectionHash ? null : 'collection',
      ].filter((part) => part !== null)
    : ['creator'];
  const held = wrong.length === 0;
  return { held, detail: held ? `data hash ${leaf.dataHash}` : `${wrong.join(', ')} hash differs` };
}

function names(addresses: string[]): string {
  return addresses.length === 0 ? 'no verified creator' : addresses.join(', ');
}
