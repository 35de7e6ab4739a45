import { parentPort } from 'node:worker_threads';
import { drawReceipt } from './draw-receipt';
import type { DrawAnswer, DrawOrder } from './draw-on-thread';

/** The thread's side of draw-on-thread.ts: draws what it is sent, one picture after the other. */
parentPort?.on('message', (order: DrawOrder) => {
  void answer(order).then(({ message, moved }) => parentPort?.postMessage(message, moved));
});

async function answer({ id, facts }: DrawOrder) {
  try {
    const png = await drawReceipt(facts);
    // A copy of its own: a small buffer of Node's shares its memory with others and cannot be moved.
    const picture = new Uint8Array(png);
    const message: DrawAnswer = { id, picture };
    return { message, moved: [picture.buffer] };
  } catch (error) {
    const message: DrawAnswer = {
      id,
      error: error instanceof Error ? error : new Error(String(error)),
    };
    return { message, moved: [] };
  }
}
