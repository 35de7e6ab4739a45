import { leafHash, readTreeRoots, rootFromProof, type LeafEvent } from '../nft/leaf';
import type { MintEvidence } from './check-evidence';
import { attempt, notJudged, type CheckLine } from './check-line';

type Evidence = Pick<MintEvidence, 'asset' | 'proof' | 'tree' | 'silences'>;

/**
 * Where the leaf of an NFT is now, and who holds it. None of these lines can fail for what a node or an index
 * does not know: the mint transaction alone shows that the NFT was issued.
 */
export function checkPlace(o: { evidence: Evidence; leaf: LeafEvent | null }): CheckLine[] {
  const { evidence, leaf } = o;
  const lines = {
    proven: ['leaf_proven', 'The leaf and its proof lead to the root'],
    recent: ['root_recent', 'The root is one that the tree has now or had lately'],
    holder: ['holder_now', 'Who holds the NFT now is known'],
  } as const;
  if (!leaf) {
    const missing = 'the mint transaction shows no such leaf';
    return Object.values(lines).map(([id, title]) => notJudged(id, title, missing));
  }
  const owner = provenOwner(evidence, leaf);
  const recent = judgeRoot(evidence, leaf, lines.recent);
  return [
    judgeProof(evidence, owner, lines.proven),
    recent,
    judgeHolder(evidence, { leaf, owner, isRecent: recent.outcome === 'held' }, lines.holder),
  ];
}

type Named = readonly [id: string, title: string];

/** The owner with whom the leaf leads to the root of the proof; null for none. */
function provenOwner({ asset, proof }: Evidence, leaf: LeafEvent): string | null {
  if (!proof) return null;
  const moved = asset.owner === null ? [] : [{ owner: asset.owner, delegate: asset.delegate }];
  const forms = [
    leaf,
    // A receipt that was moved has another owner in its leaf, and all else as it was minted.
    ...moved.map(({ owner, delegate }) => ({ ...leaf, owner, delegate: delegate ?? owner })),
  ];
  const found = forms.find((form) => {
    const root = attempt(() => rootFromProof(leafHash(form), proof.siblings, leaf.leafIndex));
    return root === proof.root;
  });
  return found?.owner ?? null;
}

function judgeProof({ proof }: Evidence, owner: string | null, [id, title]: Named): CheckLine {
  if (!proof) return notJudged(id, title, 'no index of assets (DAS) gave a proof');
  // Whoever gave it, a proof that leads elsewhere shows nothing about the leaf.
  if (owner === null)
    return notJudged(id, title, `the proof that was given does not lead to its root ${proof.root}`);
  return { id, title, outcome: 'held', detail: `root ${proof.root}` };
}

function judgeRoot({ tree, proof, silences }: Evidence, leaf: LeafEvent, named: Named): CheckLine {
  const [id, title] = named;
  if (tree.address !== leaf.tree)
    return {
      id,
      title,
      outcome: 'failed',
      detail: `tree ${tree.address} is not tree ${leaf.tree}`,
    };
  if (tree.data === null)
    return notJudged(id, title, silences?.tree ?? 'the node has no such tree');
  if (!proof) return notJudged(id, title, 'no index of assets (DAS) gave a proof');
  const known = readTreeRoots(tree.data);
  if (!known) return notJudged(id, title, 'the node gave something else than a tree');
  const age = known.roots.indexOf(proof.root);
  if (age < 0)
    return notJudged(
      id,
      title,
      `the tree does not remember this root, only its last ${known.roots.length}`,
    );
  const detail = age === 0 ? 'the current root' : `the root of ${age} changes ago`;
  return { id, title, outcome: 'held', detail };
}

function judgeHolder(
  { asset }: Evidence,
  o: { leaf: LeafEvent; owner: string | null; isRecent: boolean },
  [id, title]: Named,
): CheckLine {
  const { leaf, owner } = o;
  if (owner === null || !o.isRecent)
    return notJudged(id, title, 'no leaf with a holder is proven to be in the tree');
  if (asset.owner !== null && asset.owner !== owner)
    return notJudged(id, title, `the tree shows ${owner}, the index says ${asset.owner}`);
  const detail =
    owner === leaf.owner ? `held by ${owner}` : `moved since it was minted, held by ${owner} now`;
  return { id, title, outcome: 'held', detail };
}
