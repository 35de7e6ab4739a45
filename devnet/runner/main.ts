import { settings } from '../settings';
import { startRunner } from './start-runner';

const { runner } = settings();
const running = await startRunner(runner);
console.log(`ready ${running.url}`);

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => void running.close().then(() => process.exit(0)));
