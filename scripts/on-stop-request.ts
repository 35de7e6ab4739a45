/**
 * Calls `stop` once, when the process is asked to end or the npm command that started it is gone (a
 * killed npm sends no signal). Further requests change nothing: Ctrl-C arrives twice, from the
 * terminal and from npm.
 */
export function onStopRequest(stop: (why: string) => void): void {
  let asked = false;
  const ask = (why: string) => {
    if (asked) return;
    asked = true;
    stop(why);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => ask(signal));
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) ask('the command that started this ended');
  }, 500).unref();
}
