/** The server's bundles may each hold a copy of this module: all see the same words. */
const STOPPING = Symbol.for('quittance.stopping');
const DRAINING = Symbol.for('quittance.draining');

/** Whether this process was asked to end and wants no more requests; it still takes those that come. */
export function isDraining(): boolean {
  return Reflect.get(globalThis, DRAINING) === true || isStopping();
}

export function beginDraining(): void {
  Reflect.set(globalThis, DRAINING, true);
}

/** Whether this process finishes its requests and stops. Long polls then return early. */
export function isStopping(): boolean {
  return Reflect.get(globalThis, STOPPING) === true;
}

export function beginStopping(): void {
  Reflect.set(globalThis, STOPPING, true);
}
