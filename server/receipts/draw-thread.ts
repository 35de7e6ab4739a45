import { parentPort } from 'node:worker_threads';
import type { DrawAnswer, DrawOrder } from './draw-on-thread';
import { drawHere } from '@quittance/verify/images/draw-sheet';

/** Ends when everything that was sent is drawn. */
let drawn = Promise.resolve();

/**
 * The thread's side of draw-on-thread.ts. It draws one image at a time, because an uncompressed
 * image takes five megabytes.
 */
parentPort?.on('message', (order: DrawOrder) => {
  drawn = drawn.then(async () => {
    const { message, moved } = await answer(order);
    parentPort?.postMessage(message, moved);
  });
});

async function answer({ id, sheet, texts }: DrawOrder) {
  try {
    const png = await drawHere(sheet, texts);
    // A copy of its own: a small buffer of Node's shares its memory with others and cannot be moved.
    const image = new Uint8Array(png);
    const message: DrawAnswer = { id, image };
    return { message, moved: [image.buffer] };
  } catch (error) {
    const message: DrawAnswer = {
      id,
      error: error instanceof Error ? error : new Error(String(error)),
    };
    return { message, moved: [] };
  }
}
