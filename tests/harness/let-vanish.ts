import { callRpc } from '@/devnet/client/call-rpc';
import type { TestService } from './start-service';

/** Longer than a blockhash lives, with the slots that the service allows for beside. */
const PAST_USE_SLOTS = 400;

/**
 * Lets a transaction disappear for good. It must not be final, so to be called after
 * `service.fault('chain', { holdFinality: true })`, which it ends, and what may take its time in between.
 */
export async function letVanish(service: TestService, signature: string): Promise<void> {
  await service.fault('chain', { vanish: { signature, afterSlots: 1 } });
  // Carried out when somebody looks.
  await callRpc(service.rpcUrl, 'getSignatureStatuses', [[signature]]);
  await service.fault('chain', { holdFinality: false, advanceSlots: PAST_USE_SLOTS });
}
