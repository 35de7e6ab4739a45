import { callRpc } from '@/devnet/client/call-rpc';
import type { TestService } from './start-service';

/** Longer than a blockhash lives, with the extra slots that the service allows. */
const PAST_USE_SLOTS = 400;

/**
 * Lets a transaction disappear permanently. It must not be final, so call `service.fault('chain', {
 * holdFinality: true })` before. This function ends that fault. Slow work may come in between.
 */
export async function letVanish(service: TestService, signature: string): Promise<void> {
  await service.fault('chain', { vanish: { signature, afterSlots: 1 } });
  // The fault takes effect at the next read.
  await callRpc(service.rpcUrl, 'getSignatureStatuses', [[signature]]);
  await service.fault('chain', { holdFinality: false, advanceSlots: PAST_USE_SLOTS });
}
