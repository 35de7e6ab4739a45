/** What a rebuild did, and what it did not. */
export type Rebuilt = {
  receipts: number;
  /** Statements of the backup whose NFT was minted after it. */
  statements: number;
  used: number;
  unused: number;
  /** Leaves and payments that were left alone for good, and why. */
  skipped: { signature: string; why: string }[];
  /** Those that could not be looked at or written now: the rebuild is to be run again. */
  failed: { signature: string; why: string }[];
};

export type Report = { result: Rebuilt; say(line: string): void };

export function emptyReport(say: (line: string) => void): Report {
  const counts = { receipts: 0, statements: 0, used: 0, unused: 0 };
  return { result: { ...counts, skipped: [], failed: [] }, say };
}

/** Works on one row. A row that fails is reported, and the next one has its turn. */
export async function onRow(
  { result, say }: Report,
  signature: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    result.failed.push({ signature, why });
    say(`could not handle ${signature}: ${why}`);
  }
}

export function leaveAlone({ result, say }: Report, signature: string, why: string): void {
  result.skipped.push({ signature, why });
  say(`left alone ${signature}: ${why}`);
}
