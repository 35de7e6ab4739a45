import { z } from 'zod';
import {
  collectionHashOf,
  creatorHashOf,
  dataHashOf,
  decodeLeafEvents,
  leafHash,
  mintMetadataArgs,
  readTreeRoots,
  rootFromProof,
  type LeafEvent,
} from '../nft/leaf';
import { attempt, notJudged, wasInUse, type CheckLine } from './check-line';
import type { MintedSubject, MintEvidence } from './check-evidence';
import { itemIdOf } from './check-storage';

type Evidence = Pick<
  MintEvidence,
  'issuer' | 'metadata' | 'mintTransaction' | 'asset' | 'proof' | 'tree'
>;
type Judge = { held: boolean; detail: string } | string;

const timed = z.object({ blockTime: z.number().int() });

/**
 * The NFT: minted by the issuer, in its tree, for these files and this owner, and standing there now.
 * `holder` is what the owner is called.
 */
export function checkMint(o: {
  evidence: Evidence;
  subject: MintedSubject | null;
  holder: 'payer' | 'wallet';
  leaf: LeafEvent | null;
}): CheckLine[] {
  const { evidence, subject, holder, leaf } = o;
  const { issuer, asset, tree } = evidence;
  const holds: 'receipt' | 'statement' = holder === 'payer' ? 'receipt' : 'statement';
  /** `judge` gives what it saw, or what was missing. */
  const line = (id: string, title: string, judge: (leaf: LeafEvent) => Judge): CheckLine => {
    const judged = leaf ? judge(leaf) : 'the mint transaction holds no such leaf';
    return typeof judged === 'string'
      ? notJudged(id, title, judged)
      : { id, title, held: judged.held, detail: judged.detail };
  };
  return [
    {
      id: 'minted',
      title: 'The mint transaction wrote the leaf of this NFT',
      held: leaf !== null,
      detail: leaf
        ? `asset ${asset.id} is leaf ${leaf.leafIndex} of tree ${leaf.tree}`
        : `it holds no leaf of asset ${asset.id}`,
    },
    line('metadata_named', 'The NFT names this metadata', (leaf) => ({
      held: itemIdOf(leaf.metadata.uri) === evidence.metadata.item.id,
      detail: `it names ${leaf.metadata.uri}`,
    })),
    line('leaf_computed', 'The hashes of the leaf are those of the metadata', (leaf) =>
      subject ? computeHashes(subject, leaf) : 'the metadata cannot be read',
    ),
    line('creator_ours', 'The verified creator is a key of the issuer', (leaf) => {
      const at = mintTime(evidence);
      if (!at) return 'the mint transaction has no time';
      const creators = leaf.metadata.creators.filter(({ verified }) => verified);
      const held = issuer.creators.some(
        (key) => creators.some(({ address }) => address === key.public_key) && wasInUse(key, at),
      );
      return {
        held,
        detail: `${names(creators.map(({ address }) => address))} on ${at.toISOString()}`,
      };
    }),
    line('tree_ours', 'The tree is one of the issuer', (leaf) => {
      const at = mintTime(evidence);
      if (!at) return 'the mint transaction has no time';
      const held = issuer.trees.some((one) => one.address === leaf.tree && wasInUse(one, at));
      return { held, detail: `tree ${leaf.tree}` };
    }),
    line('collection_ours', 'The collection, if there is one, is one of the issuer', (leaf) => {
      if (leaf.collection === null) return { held: true, detail: 'no collection' };
      const at = mintTime(evidence);
      if (!at) return 'the mint transaction has no time';
      const held = issuer.collections.some(
        (one) =>
          one.address === leaf.collection && wasInUse(one, at) && (one.holds ?? holds) === holds,
      );
      return { held, detail: `collection ${leaf.collection} of ${holds}s` };
    }),
    line('leaf_proven', 'The leaf and its proof lead to the root', (leaf) => prove(evidence, leaf)),
    line('root_recent', 'The root is one that the tree has now or had lately', (leaf) => {
      const roots = readTreeRoots(tree.data)?.roots ?? [];
      const age = roots.indexOf(evidence.proof.root);
      if (tree.address !== leaf.tree)
        return { held: false, detail: `tree ${tree.address} is not tree ${leaf.tree}` };
      const seen = age === 0 ? 'the current root' : `the root of ${age} changes ago`;
      return { held: age >= 0, detail: age >= 0 ? seen : 'the tree does not know this root' };
    }),
    line(
      `owner_is_${holder}`,
      `The NFT was minted to the ${holder}, who still holds it`,
      (leaf) => {
        if (!subject) return 'the metadata cannot be read';
        const { owner } = subject;
        const held = leaf.owner === owner && asset.owner === owner;
        const detail = `minted to ${leaf.owner}, held by ${asset.owner}`;
        return { held, detail: held ? `held by ${owner}` : detail };
      },
    ),
  ];
}

/** What we would have minted for this metadata has the hashes that stand in the leaf. */
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

/** A receipt that was moved has another owner in its leaf, and all else as it was minted. */
function prove({ asset, proof }: Evidence, leaf: LeafEvent): Judge {
  const delegate = asset.delegate ?? asset.owner;
  const forms = [leaf, { ...leaf, owner: asset.owner, delegate }];
  const held = forms.some((form) => {
    const root = attempt(() => rootFromProof(leafHash(form), proof.siblings, leaf.leafIndex));
    return root === proof.root;
  });
  return { held, detail: held ? `root ${proof.root}` : `they do not lead to root ${proof.root}` };
}

function mintTime({ mintTransaction }: Evidence): Date | null {
  const parsed = timed.safeParse(mintTransaction);
  return parsed.success ? new Date(parsed.data.blockTime * 1000) : null;
}

/** The leaf that a mint transaction wrote for an asset; null without one. */
export function findLeaf({
  mintTransaction,
  asset,
}: Pick<MintEvidence, 'mintTransaction' | 'asset'>): LeafEvent | null {
  const leaves = attempt(() => decodeLeafEvents(mintTransaction)) ?? [];
  return leaves.find(({ assetId }) => assetId === asset.id) ?? null;
}

function names(addresses: string[]): string {
  return addresses.length === 0 ? 'no verified creator' : addresses.join(', ');
}
