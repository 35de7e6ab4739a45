import { deserializeCollectionV1, type CollectionV1 } from '@metaplex-foundation/mpl-core';
import { lamports, publicKey } from '@metaplex-foundation/umi';
import type { Acct, EmuCtx } from '@/devnet/chain/emulator';
import { refuse } from './errors';
import { recordCall } from './invoke';
import { MPL_CORE } from './program-ids';
import { writeData } from './write-data';

/** MPL Core's UpdateCollectionInfoV1 with "one minted": instruction 32, update type 0, amount u32. */
const UPDATE_COLLECTION_INFO = Uint8Array.of(32, 0, 1, 0, 0, 0);
/** Kind u8 and update authority in front of a collection's name. */
const BEFORE_NAME_BYTES = 33;

/**
 * The part of a mint that concerns its MPL Core collection: checks that the authority may add to it and
 * counts the new item. Only the collection's own update authority is known, no delegate plugin.
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
  recordCall(ctx, {
    program: MPL_CORE,
    accounts: [mint.collection, cpiSigner],
    data: UPDATE_COLLECTION_INFO,
    stackHeight: 2,
  });
  ctx.log(`Program ${MPL_CORE} invoke [2]`);
  ctx.log('Program log: Instruction: UpdateCollectionInfoV1');
  ctx.log(`Program ${MPL_CORE} consumed 2697 of 200000 compute units`);
  ctx.log(`Program ${MPL_CORE} success`);
  writeData(ctx, mint.collection, withOneMore(account.data));
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

/** The collection's bytes with both counters, minted so far and current size, one higher. */
function withOneMore(data: Uint8Array): Uint8Array {
  const bytes = Buffer.from(data);
  const uriAt = BEFORE_NAME_BYTES + 4 + bytes.readUInt32LE(BEFORE_NAME_BYTES);
  const countersAt = uriAt + 4 + bytes.readUInt32LE(uriAt);
  bytes.writeUInt32LE(bytes.readUInt32LE(countersAt) + 1, countersAt);
  bytes.writeUInt32LE(bytes.readUInt32LE(countersAt + 4) + 1, countersAt + 4);
  return Uint8Array.from(bytes);
}
