/** Runs one task at a time, in the order of their arrival. A failed task does not stop the next. */
export type Serialise = <T>(task: () => Promise<T>) => Promise<T>;

export function createSerialise(): Serialise {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const run = last.then(task);
    last = run.catch(() => undefined);
    return run;
  };
}
