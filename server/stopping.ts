/** The server's bundles may each hold a copy of this module: all see the same word. */
const PLACE = Symbol.for('quittance.stopping');

/** Whether this process was asked to end: who only waits for something then answers with what there is. */
export function isStopping(): boolean {
  return Reflect.get(globalThis, PLACE) === true;
}

export function beginStopping(): void {
  Reflect.set(globalThis, PLACE, true);
}
