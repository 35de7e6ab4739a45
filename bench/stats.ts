/** Median of a list of numbers. NaN of an empty list. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

/** The percentile of a list of numbers. NaN of an empty list. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? NaN;
}

/**
 * Milliseconds that `work` takes, median of `rounds`. A round before them fills caches, opens
 * connections and prepares statements.
 */
export async function medianMs(
  rounds: number,
  work: (round: number) => Promise<unknown>,
): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const begun = performance.now();
    await work(round);
    if (round > 0) times.push(performance.now() - begun);
  }
  return median(times);
}

/**
 * Runs `work` for each item, at most `width` at once. Returns the time of each and the total, in
 * ms.
 */
export async function timeAll<T>(
  items: readonly T[],
  width: number,
  work: (item: T, index: number) => Promise<void>,
): Promise<{ eachMs: number[]; totalMs: number }> {
  const eachMs: number[] = [];
  const started = performance.now();
  let next = 0;
  const worker = async () => {
    for (;;) {
      const index = next++;
      const item = items[index];
      if (item === undefined) return;
      const begun = performance.now();
      await work(item, index);
      eachMs.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  return { eachMs, totalMs: performance.now() - started };
}

export type Line = { name: string; value: string; limit: string; held: boolean | null };

/** One line of the report. `held` is null when there is no limit. */
export function line(name: string, value: string, limit = '', held: boolean | null = null): Line {
  return { name, value, limit, held };
}

export function print(lines: readonly Line[]): void {
  const width = Math.max(...lines.map(({ name }) => name.length));
  for (const { name, value, limit, held } of lines) {
    const mark = held === null ? '      ' : held ? 'held  ' : 'MISSED';
    console.log(`${mark}  ${name.padEnd(width)}  ${value}${limit === '' ? '' : `  (${limit})`}`);
  }
}
