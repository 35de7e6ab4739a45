import {
  getLeafSchemaSerializer,
  hash,
  type LeafSchema,
  type LeafSchemaArgs,
} from '@metaplex-foundation/mpl-bubblegum';
import { getAccountCompressionEventSerializer } from '@metaplex-foundation/mpl-account-compression';
import { publicKey } from '@metaplex-foundation/umi';
import type { ChangeLog } from './merkle-tree';

/** Bubblegum's BubblegumEventType::LeafSchemaEvent and Version::V2 (V1 is 0). */
const LEAF_EVENT = 1;
const VERSION_V2 = 1;
/** Version byte that is hashed before a leaf's fields. */
const LEAF_HASH_VERSION = 2;
const LEAF_EVENT_HEADER_BYTES = 2;
const HASH_BYTES = 32;

const eventSerializer = getAccountCompressionEventSerializer();
const leafSerializer = getLeafSchemaSerializer();

/** A leaf in borsh, as a mint returns it, and its Keccak-256 hash, as the tree stores it. */
export function encodeLeaf(leaf: LeafSchemaArgs): { bytes: Uint8Array; leafHash: Uint8Array } {
  const bytes = leafSerializer.serialize(leaf);
  // The hash covers the fields, not the enum's tag in front of them.
  return { bytes, leafHash: hash([Uint8Array.of(LEAF_HASH_VERSION), bytes.subarray(1)]) };
}

/** The noop data that reports a leaf to indexers. */
export function encodeLeafEvent(leafBytes: Uint8Array, leafHash: Uint8Array): Uint8Array {
  const applicationData = Buffer.concat([
    Uint8Array.of(LEAF_EVENT, VERSION_V2),
    leafBytes,
    leafHash,
  ]);
  return eventSerializer.serialize({
    __kind: 'ApplicationData',
    fields: [{ __kind: 'V1', fields: [{ applicationData }] }],
  });
}

/** The noop data that reports changed nodes to indexers. */
export function encodeChangeLogEvent(tree: string, change: ChangeLog): Uint8Array {
  const fields = {
    id: publicKey(tree),
    path: change.path,
    seq: change.sequence,
    index: change.leafIndex,
  };
  return eventSerializer.serialize({
    __kind: 'ChangeLog',
    fields: [{ __kind: 'V1', fields: [fields] }],
  });
}

export type TreeEvent =
  | { kind: 'leaf'; leaf: LeafSchema; leafHash: Uint8Array }
  | { kind: 'change'; tree: string; change: ChangeLog };

/** Reads noop data. Null for data that neither Bubblegum nor the compression program writes. */
export function decodeEvent(data: Uint8Array): TreeEvent | null {
  try {
    const [event] = eventSerializer.deserialize(data);
    if (event.__kind === 'ChangeLog') {
      const { id, path, seq, index } = event.fields[0].fields[0];
      return { kind: 'change', tree: id, change: { path, sequence: seq, leafIndex: index } };
    }
    const { applicationData } = event.fields[0].fields[0];
    if (applicationData[0] !== LEAF_EVENT) return null;
    const [leaf, end] = leafSerializer.deserialize(applicationData, LEAF_EVENT_HEADER_BYTES);
    return { kind: 'leaf', leaf, leafHash: applicationData.slice(end, end + HASH_BYTES) };
  } catch {
    // Anyone may write anything to the noop program.
    return null;
  }
}
