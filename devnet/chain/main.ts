import { settings } from '../settings';
import { startChain } from './start-chain';

const { chain, dataDir } = settings();
const running = await startChain({
  port: chain.port,
  secondPort: chain.secondPort,
  dataDir,
  slotMs: chain.slotMs,
  finalityLag: chain.finalitySlots,
  txDir: chain.txDir,
  programsDir: chain.programsDir,
});
console.log(`ready ${running.url}`);

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    void running.close().then(() => process.exit(0));
  });
