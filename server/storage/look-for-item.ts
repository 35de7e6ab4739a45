import { requestStorage } from './request-storage';
import { FREE_ITEM_BYTES, hexSha256 } from './sign-item';

export type ItemSight =
  | { state: 'there' }
  | { state: 'absent' }
  /** The gateway's answer proves neither: it is down, slow, or serves other bytes under this id. */
  | { state: 'unknown'; message: string };

/**
 * Reads an item back from the gateway and compares its bytes by sha256: the only proof of an upload that
 * counts. Receipts and duplicate answers are promises.
 */
export async function lookForItem(o: {
  id: string;
  dataSha256: string;
  gatewayUrl: string;
  timeoutMs: number;
}): Promise<ItemSight> {
  const answer = await requestStorage({
    url: `${o.gatewayUrl}/${o.id}`,
    timeoutMs: o.timeoutMs,
    mostBytes: FREE_ITEM_BYTES,
  });
  if (!answer.ok) return { state: 'unknown', message: answer.message };
  if (answer.status === 404) return { state: 'absent' };
  if (answer.status !== 200)
    return { state: 'unknown', message: `${answer.host} answered ${answer.status}` };
  if (hexSha256(answer.body) === o.dataSha256) return { state: 'there' };
  return { state: 'unknown', message: `${answer.host} serves other bytes under this id` };
}
