import bs58 from 'bs58';
import type { Answer, FakeNode } from '@/tests/harness/chain/fake-node';

/**
 * Makes a fake node answer for blocks as well. Each block up to the final slot `tip` links to the
 * one before, and that of `slot` holds these signatures. `skips` is a block that it does not have.
 * It knows no status of anything.
 */
export function answerBlocks(
  node: FakeNode,
  o: { slot: number; tip: number; holds?: readonly string[]; skips?: number },
): void {
  const { answer } = node;
  const hash = (slot: number) => bs58.encode(Buffer.alloc(32, slot % 251));
  node.answer = (call): Answer => {
    if (call.method === 'getEpochInfo')
      return { result: { absoluteSlot: o.tip, blockHeight: o.tip - 1_000 } };
    if (call.method === 'getSignatureStatuses')
      return { result: { context: { slot: o.tip }, value: [null] } };
    if (call.method !== 'getBlock') return answer(call);
    const slot = Number(Array.isArray(call.params) ? call.params[0] : 0);
    if (slot === o.skips) return { result: null };
    const block = {
      blockHeight: slot - 1_000,
      blockhash: hash(slot),
      parentSlot: slot - 1,
      previousBlockhash: hash(slot - 1),
      blockTime: null,
      signatures: slot === o.slot ? (o.holds ?? []) : [],
    };
    return { result: block };
  };
}
