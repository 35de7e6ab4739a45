import { settings } from '../settings';
import { startStorageNode } from './start-storage-node';

const { storage, chain } = settings();
const node = await startStorageNode({
  dataDir: storage.dataDir,
  port: storage.port,
  rpcUrl: chain.url,
});
console.log(`ready ${node.url}`);

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => void node.close().then(() => process.exit(0)));
