import {
  TokenStandard,
  getLeafSchemaSerializer,
  getMintV2InstructionDataSerializer,
  hash,
  hashCollection,
  hashMetadataCreators,
  hashMetadataDataV2,
  type CreatorArgs,
  type MetadataArgsV2Args,
} from '@metaplex-foundation/mpl-bubblegum';
import { defaultPublicKey, publicKey } from '@metaplex-foundation/umi';
import bs58 from 'bs58';
import { z } from 'zod';
import { BUBBLEGUM_PROGRAM, COMPRESSION_PROGRAM, NOOP_PROGRAM } from './programs';

/**
 * The contents of a leaf of a Bubblegum V2 tree. Addresses and 32-byte hashes are base58, as in
 * DAS.
 */
export type Leaf = {
  assetId: string;
  owner: string;
  delegate: string;
  /** Number of the mint in its tree; never changes, and is the leaf's index for a minted leaf. */
  nonce: bigint;
  dataHash: string;
  creatorHash: string;
  collectionHash: string;
  assetDataHash: string;
  flags: number;
};

/** One leaf as its mint transaction wrote it. */
export type LeafEvent = Leaf & {
  tree: string;
  /** Tree creator or delegate that signed the mint. */
  treeAuthority: string;
  collection: string | null;
  leafIndex: bigint;
  /** Hash of the leaf that was appended. */
  hash: string;
  /** Metadata from the instruction. */
  metadata: MetadataArgsV2Args;
};

const instruction = z.object({
  programIdIndex: z.number().int().nonnegative(),
  accounts: z.array(z.number().int().nonnegative()),
  data: z.string(),
});
const mintTransaction = z.object({
  transaction: z.object({
    message: z.object({ accountKeys: z.array(z.string()), instructions: z.array(instruction) }),
  }),
  meta: z.object({
    err: z.unknown(),
    innerInstructions: z
      .array(z.object({ index: z.number(), instructions: z.array(instruction) }))
      .nullish(),
    loadedAddresses: z
      .object({ writable: z.array(z.string()), readonly: z.array(z.string()) })
      .nullish(),
  }),
});
/** An instruction with the addresses it names; its data are base58, as the node returns them. */
type Called = { program: string; accounts: string[]; data: string };

/** First 8 bytes of sha256("global:mint_v2") and sha256("global:append"): Anchor's instruction tags. */
const MINT_V2_TAG = '78791792ad6ec7cd';
const APPEND_TAG = '957812deece158cb';
/** ApplicationData(V1(length, LeafSchemaEvent(version V2, leaf V2, leaf hash))). */
const LEAF_LOG_BYTES = 274;
/**
 * The most base58 digits of that many bytes. The tree's log of its changes is longer and not needed
 * here, and the time of base58 grows with the square of the length.
 */
const MOST_LEAF_LOG_DIGITS = Math.ceil(LEAF_LOG_BYTES * (Math.log(256) / Math.log(58)));
/** Positions in the account list of `mint_v2`. */
const AT = { payer: 1, treeAuthority: 2, tree: 6 } as const;
export const COLLECTION_AT = 7;

/**
 * Leaves that a transaction minted, in order, from a `getTransaction` result in `json` encoding.
 * Only Bubblegum's own log below a top-level `mint_v2` counts. The logged leaf, its logged hash and
 * the hash appended to the tree must agree. Anyone can call the noop program with made-up data. A
 * failed or foreign transaction gives an empty list. Throws ZodError when it is not of that form.
 */
export function decodeLeafEvents(rawTransaction: unknown): LeafEvent[] {
  return readInstructions(rawTransaction).flatMap(([top, ...inner]) => {
    const event = decodeMint(top, inner);
    return event ? [event] : [];
  });
}

/**
 * Each top-level instruction with those below it, in the order they ran, from a `getTransaction` result in `json`
 * encoding; none of a failed transaction. Throws ZodError when it is not of that form.
 */
export function readInstructions(rawTransaction: unknown): [top: Called, ...inner: Called[]][] {
  const { transaction, meta } = mintTransaction.parse(rawTransaction);
  if (meta.err !== null && meta.err !== undefined) return [];
  const keys = [
    ...transaction.message.accountKeys,
    ...(meta.loadedAddresses?.writable ?? []),
    ...(meta.loadedAddresses?.readonly ?? []),
  ];
  const read = (raw: z.infer<typeof instruction>): Called => ({
    program: keys[raw.programIdIndex] ?? '',
    accounts: raw.accounts.map((index) => keys[index] ?? ''),
    data: raw.data,
  });
  return transaction.message.instructions.map((top, index) => {
    const inner = meta.innerInstructions?.find((group) => group.index === index)?.instructions;
    return [read(top), ...(inner ?? []).map(read)];
  });
}

/** The data of an instruction; empty where they are not base58. */
export function dataOf({ data }: Called): Buffer {
  return Buffer.from(bs58.decodeUnsafe(data) ?? []);
}

function decodeMint(top: Called, inner: readonly Called[]): LeafEvent | null {
  const { program, accounts } = top;
  const data = dataOf(top);
  if (!isMintInstruction({ program, data })) return null;
  const [leafLog] = readLeafLogs(inner);
  const append = inner.find(
    (one) => one.program === COMPRESSION_PROGRAM && hasTag(dataOf(one), APPEND_TAG),
  );
  const tree = accounts[AT.tree];
  const authority = optionalAccount(accounts[AT.treeAuthority]) ?? accounts[AT.payer];
  if (!leafLog || !append || append.accounts[0] !== tree || !tree || !authority) return null;
  if (leafLog.computed !== leafLog.hash) return null;
  if (leafLog.computed !== bs58.encode(dataOf(append).subarray(8, 40))) return null;
  const [{ metadata }] = getMintV2InstructionDataSerializer().deserialize(data);
  return {
    ...leafLog.leaf,
    tree,
    treeAuthority: authority,
    collection: optionalAccount(accounts[COLLECTION_AT]),
    leafIndex: leafLog.leaf.nonce,
    hash: leafLog.hash,
    metadata,
  };
}

/** Whether an instruction is Bubblegum's `mint_v2`. */
export function isMintInstruction(o: { program: string; data: Buffer }): boolean {
  return o.program === BUBBLEGUM_PROGRAM && hasTag(o.data, MINT_V2_TAG);
}

/** An optional account that is left out is written as the program's own address. */
export function optionalAccount(account: string | undefined): string | null {
  return account === undefined || account === BUBBLEGUM_PROGRAM ? null : account;
}

function hasTag(data: Buffer, tag: string): boolean {
  return data.subarray(0, 8).toString('hex') === tag;
}

/** A leaf that was logged, the hash logged for it, and the hash it has. */
type LeafLog = { leaf: Leaf; hash: string; computed: string };

/** The leaves in the logs of instructions. */
export function readLeafLogs(instructions: readonly Called[]): LeafLog[] {
  return instructions
    .filter((one) => one.program === NOOP_PROGRAM && one.data.length <= MOST_LEAF_LOG_DIGITS)
    .flatMap((one) => readLeafLog(dataOf(one)) ?? []);
}

/** Null for other data. */
function readLeafLog(data: Buffer): LeafLog | null {
  const isLeaf = data.length === LEAF_LOG_BYTES && data[0] === 1 && data[6] === 1 && data[7] === 1;
  if (!isLeaf) return null;
  const [schema, end] = getLeafSchemaSerializer().deserialize(data, 8);
  if (schema.__kind !== 'V2') return null;
  const leaf = {
    assetId: schema.id,
    owner: schema.owner,
    delegate: schema.delegate,
    nonce: schema.nonce,
    dataHash: bs58.encode(schema.dataHash),
    creatorHash: bs58.encode(schema.creatorHash),
    collectionHash: bs58.encode(schema.collectionHash),
    assetDataHash: bs58.encode(schema.assetDataHash),
    flags: schema.flags,
  };
  return {
    leaf,
    hash: bs58.encode(data.subarray(end, end + 32)),
    computed: hashBytes(data.subarray(8, end)),
  };
}

/** Hash of a leaf in its tree: keccak-256 of version 2 and the leaf's borsh bytes. */
export function leafHash(leaf: Leaf): string {
  const bytes = getLeafSchemaSerializer().serialize({
    __kind: 'V2',
    id: publicKey(leaf.assetId),
    owner: publicKey(leaf.owner),
    delegate: publicKey(leaf.delegate),
    nonce: leaf.nonce,
    dataHash: bs58.decode(leaf.dataHash),
    creatorHash: bs58.decode(leaf.creatorHash),
    collectionHash: bs58.decode(leaf.collectionHash),
    assetDataHash: bs58.decode(leaf.assetDataHash),
    flags: leaf.flags,
  });
  return hashBytes(bytes);
}

/** The same of a leaf's bytes, of which the first says which version they are. */
function hashBytes(bytes: Uint8Array): string {
  return bs58.encode(hash([Uint8Array.of(2), bytes.subarray(1)]));
}

/** Root that a leaf hash and its full proof (leaf to root, base58) lead to, for a leaf at `index`. */
export function rootFromProof(leaf: string, proof: readonly string[], index: bigint): string {
  const root = proof.reduce((node, sibling, level) => {
    const other = bs58.decode(sibling);
    const isRight = ((index >> BigInt(level)) & 1n) === 1n;
    return hash(isRight ? [other, node] : [node, other]);
  }, bs58.decode(leaf));
  return bs58.encode(root);
}

/** Header of a tree account and offsets within it (mpl-account-compression, header version 0). */
const HEADER_BYTES = 56;

/**
 * Roots that a tree account remembers, newest first (as many as its buffer holds). The result also
 * has the tree's depth, the size of that buffer and the number of changes so far. Null when the
 * bytes are not a tree.
 */
export function readTreeRoots(
  accountData: Uint8Array,
): { roots: string[]; sequence: bigint; depth: number; buffer: number } | null {
  const data = Buffer.from(accountData.buffer, accountData.byteOffset, accountData.length);
  if (data.length < HEADER_BYTES + 24 || data[0] !== 1) return null;
  const buffer = data.readUInt32LE(2);
  const depth = data.readUInt32LE(6);
  const stride = 40 + depth * 32;
  if (depth === 0 || depth > 30 || data.length < HEADER_BYTES + 24 + buffer * stride) return null;
  const sequence = data.readBigUInt64LE(HEADER_BYTES);
  const active = Number(data.readBigUInt64LE(HEADER_BYTES + 8));
  const kept = Number(data.readBigUInt64LE(HEADER_BYTES + 16));
  if (kept > buffer || active >= buffer) return null;
  const roots = Array.from({ length: kept }, (_, age) => {
    const start = HEADER_BYTES + 24 + ((active - age + buffer) % buffer) * stride;
    return bs58.encode(data.subarray(start, start + 32));
  });
  return { roots, sequence, depth, buffer };
}

/**
 * Metadata that our NFTs are minted with; what is minted and what is checked both come from here.
 * `collection` is null for an NFT without one. The program allows 32 bytes of name, 200 of uri.
 */
export function mintMetadataArgs(o: {
  name: string;
  uri: string;
  creator: string;
  collection: string | null;
}): MetadataArgsV2Args {
  return {
    name: o.name,
    symbol: 'RCPT',
    uri: o.uri,
    // Always given: left out with a collection, the client library sends a value the program refuses.
    sellerFeeBasisPoints: 0,
    primarySaleHappened: false,
    isMutable: false,
    tokenStandard: TokenStandard.NonFungible,
    creators: [{ address: publicKey(o.creator), verified: true, share: 100 }],
    collection: o.collection === null ? null : publicKey(o.collection),
  };
}

/** `dataHash` of a leaf with this metadata, base58. */
export function dataHashOf(metadata: MetadataArgsV2Args): string {
  return bs58.encode(hashMetadataDataV2(metadata));
}

/** `creatorHash` of a leaf with these creators, base58. */
export function creatorHashOf(creators: CreatorArgs[]): string {
  return bs58.encode(hashMetadataCreators(creators));
}

/** `collectionHash` of a leaf in this collection, base58; null is no collection. */
export function collectionHashOf(collection: string | null): string {
  return bs58.encode(
    hashCollection(collection === null ? defaultPublicKey() : publicKey(collection)),
  );
}
