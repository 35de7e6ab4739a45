/** One thing that was looked at. */
export type Finding = { ok: boolean; name: string; detail: string };

/** Runs a look and turns what it throws into a finding. */
export async function look(name: string, work: () => Promise<string>): Promise<Finding> {
  try {
    return { ok: true, name, detail: await work() };
  } catch (error) {
    return { ok: false, name, detail: error instanceof Error ? error.message : String(error) };
  }
}
