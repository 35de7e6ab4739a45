import { deserializeCollectionV1, type CollectionV1 } from '@metaplex-foundation/mpl-core';
import { lamports, publicKey } from '@metaplex-foundation/umi';
import type { Acct, EmuCtx } from '@/devnet/chain/emulator';
import { refuse } from './errors';
import { recordCall } from './invoke';
import { MPL_CORE } from './program-ids';
import { writeData } from './write-data';

/** MPL Core's UpdateCollectionInfoV1 with "one minted" or "one removed": instruction 32, update type, amount u32. */
const UPDATE_COLLECTION_INFO = {
  minted: Uint8Array.of(32, 0, 1, 0, 0, 0),
  removed: Uint8Array.of(32, 2, 1, 0, 0, 0),
} as const;
/** Kind u8 and update authority, before a collection's name. */
const BEFORE_NAME_BYTES = 33;

/**
 * The part of a mint that concerns its MPL Core collection. It checks that the authority may add to
 * the collection, and counts the new item. Only the collection's own update authority is known, no
 * delegate plugin.
 */
export function countInCollection(
  ctx: EmuCtx,
  mint: {
    collection: string;
    authority: string;
    cpiSigner: string | null;
    named: string | null;
  },
): void {
  const account = ctx.chain.get(mint.collection);
  if (account?.owner !== MPL_CORE) return refuse('ConstraintOwner');
  const { cpiSigner } = mint;
  if (cpiSigner === null) return refuse('MissingMplCoreCpiSignerAccount');
  const collection = readCollection(mint.collection, account);
  if (collection.updateAuthority !== mint.authority) refuse('InvalidCollectionAuthority');
  if (!collection.bubblegumV2) refuse('CollectionMustHaveBubblegumPlugin');
  if (mint.named === null) refuse('CollectionNotFound');
  if (mint.named !== mint.collection) refuse('CollectionMismatch');
  updateInfo(ctx, { collection: mint.collection, account, cpiSigner, what: 'minted' });
}

/** The part of a burn that concerns its collection: lowers its current size by one. */
export function countOutOfCollection(
  ctx: EmuCtx,
  { collection, cpiSigner }: { collection: string; cpiSigner: string | null },
): void {
  const account = ctx.chain.get(collection);
  if (account?.owner !== MPL_CORE) return refuse('ConstraintOwner');
  if (cpiSigner === null) return refuse('MissingMplCoreCpiSignerAccount');
  updateInfo(ctx, { collection, account, cpiSigner, what: 'removed' });
}

/** Fails a transfer or burn of an item whose collection has PermanentFreezeDelegate, frozen. */
export function refuseFrozenCollection(ctx: EmuCtx, collection: string): void {
  const account = ctx.chain.get(collection);
  if (account?.owner !== MPL_CORE) return refuse('IncorrectOwner');
  if (readCollection(collection, account).permanentFreezeDelegate?.frozen === true)
    refuse('CollectionIsFrozen');
}

function updateInfo(
  ctx: EmuCtx,
  o: {
    collection: string;
    account: Acct;
    cpiSigner: string;
    what: keyof typeof UPDATE_COLLECTION_INFO;
  },
): void {
  recordCall(ctx, {
    program: MPL_CORE,
    accounts: [o.collection, o.cpiSigner],
    data: UPDATE_COLLECTION_INFO[o.what],
    stackHeight: 2,
  });
  ctx.log(`Program ${MPL_CORE} invoke [2]`);
  ctx.log('Program log: Instruction: UpdateCollectionInfoV1');
  ctx.log(`Program ${MPL_CORE} consumed 2697 of 200000 compute units`);
  ctx.log(`Program ${MPL_CORE} success`);
  writeData(ctx, o.collection, recounted(o.account.data, o.what));
}

function readCollection(address: string, account: Acct): CollectionV1 {
  return deserializeCollectionV1({
    publicKey: publicKey(address),
    executable: false,
    owner: publicKey(account.owner),
    lamports: lamports(account.lamports),
    data: account.data,
  });
}

/**
 * The collection's bytes with a mint added to "minted so far" and current size, or a burn taken off
 * the latter.
 */
function recounted(data: Uint8Array, what: keyof typeof UPDATE_COLLECTION_INFO): Uint8Array {
  const bytes = Buffer.from(data);
  const uriAt = BEFORE_NAME_BYTES + 4 + bytes.readUInt32LE(BEFORE_NAME_BYTES);
  const countersAt = uriAt + 4 + bytes.readUInt32LE(uriAt);
  const sizeAt = countersAt + 4;
  if (what === 'minted') bytes.writeUInt32LE(bytes.readUInt32LE(countersAt) + 1, countersAt);
  const size = bytes.readUInt32LE(sizeAt);
  bytes.writeUInt32LE(what === 'minted' ? size + 1 : Math.max(0, size - 1), sizeAt);
  return Uint8Array.from(bytes);
}
