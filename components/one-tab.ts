/**
 * Runs `work` while no other tab of this browser runs work of this name, and returns false without
 * running it if one does. The browser ends the claim of a tab that closes or crashes. Old browsers
 * and insecure origins have no claims, so there every tab runs it.
 */
export async function inOneTab(name: string, work: () => Promise<void>): Promise<boolean> {
  if (!('locks' in navigator)) {
    await work();
    return true;
  }
  return navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
    if (lock === null) return false;
    await work();
    return true;
  });
}
