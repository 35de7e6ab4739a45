/**
 * What a step tells the function that runs it; small and serialisable, since the job server stores it.
 * `waiting`: nothing went wrong for good, look again after so many seconds. `again`: this mint
 * transaction is over without an NFT, sign another. `stop`: nothing is left to do.
 */
export type StepResult =
  | { state: 'done' }
  | { state: 'waiting'; seconds: number }
  | { state: 'again' }
  | { state: 'stop' };

export const done: StepResult = { state: 'done' };
export const again: StepResult = { state: 'again' };
export const stop: StepResult = { state: 'stop' };
export const waiting = (seconds: number): StepResult => ({ state: 'waiting', seconds });
