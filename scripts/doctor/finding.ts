/** The result of one check. */
export type Finding = { ok: boolean; name: string; detail: string };

/** Runs a check and turns its error into a failed finding. */
export async function runCheck(name: string, work: () => Promise<string>): Promise<Finding> {
  try {
    return { ok: true, name, detail: await work() };
  } catch (error) {
    return { ok: false, name, detail: error instanceof Error ? error.message : String(error) };
  }
}
