import { Worker } from 'node:worker_threads';
import type { DrawSheet, Sheet } from '@quittance/verify/images/draw-sheet';

export type DrawOrder = { id: number; sheet: Sheet; texts: Readonly<Record<string, string>> };
export type DrawAnswer = { id: number; image: Uint8Array } | { id: number; error: Error };

type Waiting = { resolve: (image: Uint8Array) => void; reject: (error: Error) => void };

/** Images and fonts are outside the heap. Without limits a thread may use as much as the process. */
const LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 };

let thread: { worker: Worker; waiting: Map<number, Waiting> } | undefined;
let lastId = 0;

/**
 * Draws on a separate thread, so that requests without an image do not wait. The images are the
 * same as those of `drawHere`. The first image starts the thread, and the next one restarts it if
 * it died. An image that was being drawn then rejects.
 */
export const drawOnThread: DrawSheet = (sheet, texts) => {
  const { worker, waiting } = (thread ??= start());
  const id = ++lastId;
  return new Promise((resolve, reject) => {
    worker.postMessage({ id, sheet, texts } satisfies DrawOrder);
    waiting.set(id, { resolve, reject });
  });
};

function start() {
  const worker = new Worker(new URL('./draw-thread.ts', import.meta.url), {
    resourceLimits: LIMITS,
  });
  // It must not keep a process alive that has nothing else to do.
  worker.unref();
  const started = { worker, waiting: new Map<number, Waiting>() };
  const end = (error: Error) => {
    if (thread === started) thread = undefined;
    for (const { reject } of started.waiting.values()) reject(error);
    started.waiting.clear();
  };
  worker.on('message', (answer: DrawAnswer) => {
    const waiting = started.waiting.get(answer.id);
    started.waiting.delete(answer.id);
    if ('image' in answer) waiting?.resolve(answer.image);
    else waiting?.reject(answer.error);
  });
  worker.on('error', end);
  worker.on('exit', (code) => end(new Error(`the drawing thread ended with ${code}`)));
  return started;
}
