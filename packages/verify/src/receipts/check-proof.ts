import { createHash } from 'node:crypto';
import type { LeafEvent } from '../nft/leaf';
import type { MintEvidence, ReceiptEvidence } from './check-evidence';
import { notJudged, outcomeOf, type CheckLine } from './check-line';
import { findLeaf } from './minted-leaf';
import { checkReceipt } from './check-receipt';
import { itemIdOf } from './check-storage';
import {
  creatorOf,
  presentLeaf,
  rootOfStanding,
  type MintProof,
  type ProofDocument,
} from './proof-document';

/**
 * Checks a proof: everything that {@link checkReceipt} checks. Then it compares the document's own
 * statements (hashes, addresses, leaf, proof) with its files and the chain. Pure. A part that was
 * not shown has no line.
 */
export function checkProof(o: {
  document: ProofDocument;
  evidence: ReceiptEvidence;
  served?: ServedFiles | undefined;
}): CheckLine[] {
  return [...checkReceipt(o.evidence), ...checkStated(o)];
}

/** The two current files of a storage gateway; null where it gave no answer. */
export type ServedFiles = Record<'metadata' | 'image', Uint8Array | null>;

/** Compares the document's own statements about the NFT and its files with them. */
export function checkStated(o: {
  document: MintProof;
  evidence: MintEvidence;
  served?: ServedFiles | undefined;
}): CheckLine[] {
  const { document, evidence, served } = o;
  const leaf = findLeaf(evidence);
  return [
    networkStated(document, evidence),
    ...PARTS.map((part) =>
      stated(`${part}_stated`, `The hash and the address of the ${part} are those of its file`, [
        ['sha256', document[part].sha256, sha256(evidence[part].item.data)],
        ['uri', itemIdOf(document[part].uri) ?? '', document[part].item_id],
      ]),
    ),
    leafStated(document, leaf),
    ...proofStated(document, leaf),
    ...(served ? PARTS.map((part) => servedLine(part, served[part], evidence)) : []),
  ];
}

/** Sites move: a proof that was saved before names the old one, which is no contradiction. */
function networkStated(document: MintProof, { issuer }: MintEvidence): CheckLine {
  const line = stated('network_stated', 'The document is of the network of the issuer', [
    ['network', document.network, issuer.network],
  ]);
  const site = `${issuer.url}/.well-known/quittance.json`;
  if (line.outcome !== 'held' || document.issuer_url === site) return line;
  const moved = `it names ${document.issuer_url}, the issuer publishes at ${site}`;
  return notJudged(line.id, line.title, moved);
}

const PARTS = ['metadata', 'image'] as const;

/** A gateway is no witness against a file that is signed: another one may serve it. */
function servedLine(
  part: (typeof PARTS)[number],
  bytes: Uint8Array | null,
  evidence: MintEvidence,
): CheckLine {
  const id = `${part}_served`;
  const title = `The gateway serves the ${part} that was signed`;
  if (bytes === null) return notJudged(id, title, 'the gateway does not serve it');
  if (!Buffer.from(bytes).equals(evidence[part].item.data))
    return notJudged(id, title, 'the gateway serves other bytes than the signed ones');
  return { id, title, outcome: 'held', detail: `${bytes.length} bytes` };
}

function leafStated(document: MintProof, leaf: LeafEvent | null): CheckLine {
  const id = 'leaf_stated';
  const title = 'The leaf that the document states is the one minted';
  if (!leaf) return notJudged(id, title, 'the mint transaction holds no such leaf');
  const minted = presentLeaf(leaf);
  return stated(id, title, [
    ['tree', document.tree, leaf.tree],
    ['leaf_index', String(document.leaf_index), String(leaf.leafIndex)],
    ['creator', document.creator, creatorOf(leaf)],
    ...Object.entries(minted).map(([name, value]): Fact => [
      name,
      String(Object.entries(document.leaf).find(([key]) => key === name)?.[1]),
      String(value),
    ]),
  ]);
}

/**
 * The document's own proof, which a node's newer one may have taken the place of in the other lines. No line for a
 * document that has none.
 */
function proofStated(document: MintProof, leaf: LeafEvent | null): CheckLine[] {
  const id = 'proof_stated';
  const title = "The document's own proof leads from the leaf to its root";
  const { root: stated, proof, burnt } = document;
  if (stated === null && proof === null) return [];
  if (!leaf) return [notJudged(id, title, 'the mint transaction holds no such leaf')];
  const { owner, delegate } = document.holder ?? leaf;
  const root = rootOfStanding(leaf, { owner, delegate, burnt, siblings: proof ?? [] });
  const held = root !== null && root === stated;
  const detail = held ? `root ${root}` : `it does not lead to ${stated ?? 'any root'}`;
  return [{ id, title, outcome: outcomeOf(held), detail }];
}

type Fact = [name: string, said: string, seen: string];

function stated(id: string, title: string, facts: Fact[]): CheckLine {
  const wrong = facts.filter(([, said, seen]) => said !== seen);
  const detail =
    wrong.length === 0
      ? facts.map(([name]) => name).join(', ')
      : wrong.map(([name, said, seen]) => `${name} is ${seen}, not ${said}`).join('; ');
  return { id, title, outcome: outcomeOf(wrong.length === 0), detail };
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
