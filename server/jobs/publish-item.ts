import { advanceStage, noteWaiting } from '@/server/nft/mint-rows';
import { countRefusal } from '@/server/nft/retry-mint';
import { loadItem, loadItems, type LoadedItem } from '@/server/storage/stored-items';
import { uploadItem } from '@/server/storage/upload-item';
import {
  done,
  type OwnedMint,
  type StepInput,
  type StepResult,
  stop,
  waiting,
  withMint,
} from './with-mint';

const UNREACHABLE_RETRY_S = 5;
const REFUSED_RETRY_S = 10;
const LOST_LEASE_RETRY_S = 1;

/** Puts the image on permanent storage and reads it back. */
export function publishImage(input: StepInput): Promise<StepResult> {
  return withMint(input, { skipAt: 'image_stored', leavesAt: 'image_stored' }, async (owned) => {
    const { imageItemId, metadataItemId } = owned.mint;
    const items = await loadItems(owned.service.db, [imageItemId, metadataItemId]);
    owned.metadata = items.get(metadataItemId) ?? null;
    return publish(owned, items.get(imageItemId), 'image_stored');
  });
}

/** Puts the metadata on permanent storage and reads it back. */
export function publishMetadata(input: StepInput): Promise<StepResult> {
  return withMint(
    input,
    { skipAt: 'metadata_stored', leavesAt: 'metadata_stored' },
    async (owned) => {
      const { service, mint, metadata } = owned;
      const item = metadata ?? (await loadItem(service.db, mint.metadataItemId));
      owned.metadata = null;
      return publish(owned, item, 'metadata_stored');
    },
  );
}

async function publish(
  { service, mint, fence }: OwnedMint,
  item: LoadedItem | null | undefined,
  stage: 'image_stored' | 'metadata_stored',
): Promise<StepResult> {
  const { db, env, clock } = service;
  if (!item) throw new Error(`mint ${mint.id} has no stored item for ${stage}`);
  const outcome = await uploadItem({
    item,
    uploadUrl: env.storageUploadUrl,
    gatewayUrl: env.storageGatewayUrl,
  });
  const now = clock.now();
  if (outcome.state === 'stored') {
    const moved = await advanceStage({ db, id: mint.id, fence, stage, now, stored: item.id });
    return moved === 'done' ? done : waiting(LOST_LEASE_RETRY_S);
  }
  const reason = `storage: ${outcome.message}`;
  if (outcome.state === 'unreachable') {
    await noteWaiting({ db, id: mint.id, fence, reason, now });
    return waiting(UNREACHABLE_RETRY_S);
  }
  const counted = await countRefusal({ db, id: mint.id, fence, error: reason, now });
  return counted.status === 'failed' ? stop : waiting(REFUSED_RETRY_S);
}
