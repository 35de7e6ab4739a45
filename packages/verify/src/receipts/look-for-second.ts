import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { HistoryReader } from '../chain/chain-reader';
import { isNodeSilence } from '../chain/rpc-errors';
import { readWholeTree } from '../nft/follow-leaf';
import { decodeLeafEvents, type LeafEvent } from '../nft/leaf';
import { verifyItemParts } from '../storage/verify-item';
import { attempt, notJudged, type CheckLine } from './check-line';
import { itemIdOf } from './check-storage';
import { parseReceiptMetadata } from './describe-parse';

const ID = 'only_one';
const TITLE = 'No other NFT in the trees of the issuer is for this transaction';

/** Returns the bytes at a path of a storage gateway; null where it has none. */
export type FetchStored = (path: string) => Promise<Uint8Array | null>;

/**
 * Reads the whole history of every tree of the issuer and searches for a second NFT of a receipt.
 * It has the same name or file, or is another receipt of the payer whose metadata names the same
 * transaction. `fetchStored` is null without a gateway: then the other receipts of the payer cannot
 * be read.
 */
export async function lookForSecond(o: {
  rpc: HistoryReader;
  trees: readonly string[];
  leaf: LeafEvent | null;
  txSignature: string;
  fetchStored: FetchStored | null;
}): Promise<CheckLine> {
  const { leaf } = o;
  if (!leaf) return notJudged(ID, TITLE, 'the mint transaction shows no such leaf');
  try {
    const others = (await mintsOf(o)).filter(({ assetId }) => assetId !== leaf.assetId);
    return await judge({ ...o, leaf, others });
  } catch (error) {
    if (error instanceof NotWhole || isNodeSilence(error))
      return notJudged(ID, TITLE, error.message);
    throw error;
  }
}

class NotWhole extends Error {}

async function mintsOf(o: { rpc: HistoryReader; trees: readonly string[] }): Promise<LeafEvent[]> {
  const found: LeafEvent[] = [];
  for (const tree of o.trees) {
    const whole = await readWholeTree({ rpc: o.rpc, tree });
    if ('why' in whole) throw new NotWhole(`tree ${tree}: ${whole.why}`);
    found.push(...whole.transactions.flatMap((raw) => attempt(() => decodeLeafEvents(raw)) ?? []));
  }
  return found;
}

async function judge(o: {
  leaf: LeafEvent;
  others: readonly LeafEvent[];
  txSignature: string;
  fetchStored: FetchStored | null;
}): Promise<CheckLine> {
  const { leaf, others, fetchStored } = o;
  const same = others.find(
    ({ metadata }) =>
      metadata.name === leaf.metadata.name ||
      itemIdOf(metadata.uri) === itemIdOf(leaf.metadata.uri),
  );
  if (same) return second(same);
  // A receipt is minted to the payer: a second one to anybody else already fails that check.
  const ofPayer = others.filter(({ owner }) => owner === leaf.owner);
  if (ofPayer.length > 0 && fetchStored === null)
    return notJudged(
      ID,
      TITLE,
      `the payer has ${ofPayer.length} more: name a --gateway to read them`,
    );
  const unread: string[] = [];
  for (const other of fetchStored ? ofPayer : []) {
    const told = await transactionOf(other, fetchStored);
    if (told === null) unread.push(other.metadata.name);
    if (told === o.txSignature) return second(other);
  }
  if (unread.length > 0)
    return notJudged(
      ID,
      TITLE,
      `the gateway has no signed file of ${unread.slice(0, 5).join(', ')}`,
    );
  const detail = `${others.length} others in the trees of the issuer, ${ofPayer.length} of the payer`;
  return { id: ID, title: TITLE, outcome: 'held', detail };
}

function second({ assetId, metadata, leafIndex, tree }: LeafEvent): CheckLine {
  const detail = `${metadata.name}, asset ${assetId}, leaf ${leafIndex} of tree ${tree}`;
  return { id: ID, title: TITLE, outcome: 'failed', detail };
}

const parts = z.object({
  address: z.string(),
  signature: z.string(),
  tags: z.array(z.object({ name: z.string(), value: z.string() })),
});

/**
 * The transaction that the metadata of an NFT names, '' if the metadata is not a receipt. Null if
 * no signed file is served, because a gateway alone proves nothing against anybody.
 */
async function transactionOf(
  { metadata }: LeafEvent,
  fetchStored: FetchStored | null,
): Promise<string | null> {
  const id = itemIdOf(metadata.uri) ?? '';
  const [data, about] = await Promise.all([fetchStored?.(id), fetchStored?.(`tx/${id}`)]);
  const json = attempt((): unknown => JSON.parse(Buffer.from(about ?? []).toString('utf8')));
  const told = parts.safeParse(json);
  if (!data || !told.success) return null;
  const { address: owner, signature, tags } = told.data;
  const item = { id, owner, signature: Buffer.from(signature, 'base64url'), tags, data };
  const isSigned = KINDS.some((kind) =>
    attempt(() => verifyItemParts({ ...item, anchor: anchorOf(kind, metadata.name) })),
  );
  if (!isSigned) return null;
  const reading = parseReceiptMetadata(data);
  return reading.ok ? reading.metadata.chain.transaction : '';
}

const KINDS = ['receipt', 'statement'] as const;

/** The service derives the anchor of a file from its receipt or statement. */
function anchorOf(kind: (typeof KINDS)[number], name: string): Uint8Array {
  const seed = createHash('sha256').update(`${kind}:${name.split(' ').at(-1) ?? ''}:metadata:v1`);
  return Buffer.from(seed.digest('hex').slice(0, 32));
}
