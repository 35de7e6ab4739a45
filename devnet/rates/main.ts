import { settings } from '../settings';
import { startRateServer } from './start-rate-server';

const server = await startRateServer({ port: settings().rates.port });
console.log(`ready ${server.url}`);

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => void server.close().then(() => process.exit(0)));
