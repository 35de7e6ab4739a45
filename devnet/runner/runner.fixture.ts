/** A runner in a separate process, for tests that kill it. Argument: its options as JSON. */
import { startRunner } from './start-runner';

const runner = await startRunner(JSON.parse(process.argv[2] ?? '{}'));
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => void runner.close().then(() => process.exit(0)));
