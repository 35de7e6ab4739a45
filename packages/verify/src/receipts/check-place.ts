import { leafHash, readTreeRoots, rootFromProof, type LeafEvent } from '../nft/leaf';
import { EMPTY_LEAF } from '../nft/tree-changes';
import type { MintEvidence } from './check-evidence';
import { attempt, notJudged, type CheckLine } from './check-line';

type Evidence = Pick<MintEvidence, 'asset' | 'proof' | 'tree' | 'silences' | 'history'>;
type Named = readonly [id: string, title: string];
/** The state of the leaf: the holder of the NFT, or that it was burnt. */
type Standing = { owner: string } | 'burnt';

const LINES = {
  proven: ['leaf_proven', 'The leaf and its proof lead to the root'],
  recent: ['root_recent', 'The root is one that the tree has now or had recently'],
  holder: ['holder_now', 'The current holder of the NFT is known'],
} as const;

/** The state of an NFT after its mint, at the start of the line about its holder. */
const SINCE_MINT = {
  moved: 'moved since it was minted',
  burnt: 'burnt by its holder since it was minted',
} as const;

/**
 * The state of an NFT after its mint, from the lines of a check; null where nothing changed, or
 * where it is not known.
 */
export function sinceMint(lines: readonly CheckLine[]): keyof typeof SINCE_MINT | null {
  const holder = lines.find(({ id }) => id === LINES.holder[0]);
  if (holder?.outcome !== 'held') return null;
  const became = (['moved', 'burnt'] as const).find((one) =>
    holder.detail.startsWith(SINCE_MINT[one]),
  );
  return became ?? null;
}

/**
 * The current position of an NFT's leaf, and its holder. The source is the proof of an index of
 * assets, otherwise all changes of the tree since the mint. None of these lines can fail because a
 * node or an index lacks data: the mint transaction alone shows that the NFT was issued. An NFT
 * that was moved or burnt is as genuine as before.
 */
export function checkPlace(o: { evidence: Evidence; leaf: LeafEvent | null }): CheckLine[] {
  const { evidence, leaf } = o;
  if (!leaf) {
    const missing = 'the mint transaction shows no such leaf';
    return Object.values(LINES).map(([id, title]) => notJudged(id, title, missing));
  }
  if (
    evidence.history &&
    evidence.history.state !== 'untold' &&
    evidence.tree.address === leaf.tree
  )
    return byHistory(evidence.history, leaf);
  const standing = provenStanding(evidence, leaf);
  const recent = judgeRoot(evidence, leaf, LINES.recent);
  // An empty leaf may be from before the mint, under any root but the current one.
  const isNow = rootAge(evidence) === 0;
  const isShown = recent.outcome === 'held' && (standing !== 'burnt' || isNow);
  return [
    judgeProof(evidence, standing, LINES.proven),
    recent,
    judgeHolder(evidence, { leaf, standing, isShown, isNow }, LINES.holder),
  ];
}

/** How many changes ago the tree had the root of the proof; null for a root that it does not remember. */
function rootAge({ tree, proof }: Evidence): number | null {
  const roots = (tree.data && readTreeRoots(tree.data)?.roots) ?? [];
  const age = proof ? roots.indexOf(proof.root) : -1;
  return age < 0 ? null : age;
}

function byHistory(
  history: Exclude<NonNullable<Evidence['history']>, { state: 'untold' }>,
  leaf: LeafEvent,
): CheckLine[] {
  const followed = `followed through ${history.changes} changes of the tree since the mint`;
  const held = ([id, title]: Named, detail: string): CheckLine => ({
    id,
    title,
    outcome: 'held',
    detail,
  });
  return [
    held(LINES.proven, followed),
    held(LINES.recent, 'the last change leads to the current root'),
    held(
      LINES.holder,
      inWords(history.state === 'burnt' ? 'burnt' : { owner: history.owner }, leaf),
    ),
  ];
}

/**
 * The owner with whom the leaf leads to the root of the proof, or burnt if an empty leaf does; null
 * for none.
 */
function provenStanding({ asset, proof }: Evidence, leaf: LeafEvent): Standing | null {
  if (!proof) return null;
  const leadsToRoot = (hash: () => string) =>
    attempt(() => rootFromProof(hash(), proof.siblings, leaf.leafIndex)) === proof.root;
  if (leadsToRoot(() => leafHash(leaf))) return { owner: leaf.owner };
  const { owner, delegate } = asset;
  // The leaf of a moved NFT has another owner, and everything else as it was minted.
  if (
    owner !== null &&
    leadsToRoot(() => leafHash({ ...leaf, owner, delegate: delegate ?? owner }))
  )
    return { owner };
  return leadsToRoot(() => EMPTY_LEAF) ? 'burnt' : null;
}

function judgeProof(evidence: Evidence, standing: Standing | null, [id, title]: Named): CheckLine {
  const { proof } = evidence;
  if (!proof) return notJudged(id, title, withHistory(evidence, NO_PROOF));
  // From any source, a proof that leads elsewhere shows nothing about the leaf.
  if (standing === null)
    return notJudged(
      id,
      title,
      withHistory(evidence, `the proof that was given does not lead to its root ${proof.root}`),
    );
  return { id, title, outcome: 'held', detail: `root ${proof.root}` };
}

const NO_PROOF = 'no index of assets (DAS) gave a proof';

function withHistory({ history }: Evidence, why: string): string {
  return history?.state === 'untold' ? `${why}; ${history.why}` : why;
}

function judgeRoot(evidence: Evidence, leaf: LeafEvent, [id, title]: Named): CheckLine {
  const { tree, proof, silences } = evidence;
  if (tree.address !== leaf.tree) {
    const detail = `tree ${tree.address} is not tree ${leaf.tree}`;
    return { id, title, outcome: 'failed', detail };
  }
  if (tree.data === null)
    return notJudged(id, title, silences?.tree ?? 'the node has no such tree');
  if (!proof) return notJudged(id, title, withHistory(evidence, NO_PROOF));
  const known = readTreeRoots(tree.data);
  if (!known) return notJudged(id, title, 'the node returned something other than a tree');
  const age = rootAge(evidence);
  const kept = `the tree does not remember this root, only its last ${known.roots.length}`;
  if (age === null) return notJudged(id, title, withHistory(evidence, kept));
  const detail = age === 0 ? 'the current root' : `the root of ${age} changes ago`;
  return { id, title, outcome: 'held', detail };
}

function judgeHolder(
  { asset }: Evidence,
  o: { leaf: LeafEvent; standing: Standing | null; isShown: boolean; isNow: boolean },
  [id, title]: Named,
): CheckLine {
  const { leaf, standing } = o;
  if (standing === null || !o.isShown)
    return notJudged(id, title, 'no leaf with a holder is proven to be in the tree');
  const shown = standing === 'burnt' ? 'burnt' : standing.owner;
  const told = asset.burnt === true ? 'burnt' : asset.owner;
  const isDenied = told !== null && told !== shown;
  // Under an older root the NFT may have been moved since. Under the current one the index is wrong.
  if (isDenied && !o.isNow)
    return notJudged(id, title, `the tree recently showed ${shown}, the index says ${told}`);
  const but = isDenied ? `; the index says ${told}, which the tree does not confirm` : '';
  return { id, title, outcome: 'held', detail: `${inWords(standing, leaf)}${but}` };
}

function inWords(standing: Standing, leaf: LeafEvent): string {
  if (standing === 'burnt') return SINCE_MINT.burnt;
  return standing.owner === leaf.owner
    ? `held by ${standing.owner}`
    : `${SINCE_MINT.moved}, held by ${standing.owner} now`;
}
