import { createServer } from 'node:http';
import { openAccountBook } from './account-book';
import { openFolder } from './durable-file';
import { createFaults } from './faults';
import { openItemStore } from './item-store';
import { openNodeKeys } from './node-keys';
import { route } from './route';
import { createSerialise } from './serialise';

export type StorageNodeOptions = {
  /** The folder of items, records, fundings and keys. */
  dataDir: string;
  /** 0 takes any free port. */
  port: number;
  /** The chain that has the funding transfers. Without one, no funding is possible. */
  rpcUrl?: string;
};

export type RunningStorageNode = { url: string; close(): Promise<void> };

/**
 * A storage node and its gateway in one, with the HTTP interface of an Irys bundler. It verifies,
 * charges for, stores and serves signed data items. An acknowledged item survives a kill at any
 * instant.
 */
export async function startStorageNode(options: StorageNodeOptions): Promise<RunningStorageNode> {
  await openFolder(options.dataDir);
  const items = await openItemStore(options.dataDir);
  const serialise = createSerialise();
  const node = {
    items,
    accounts: await openAccountBook(options.dataDir, items),
    keys: await openNodeKeys(options.dataDir),
    faults: createFaults(),
    serialise,
    rpcUrl: options.rpcUrl ?? null,
  };
  const server = createServer((request, response) => void route(node, request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : options.port;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      // An upload whose client is gone may still write to the disk.
      await serialise(async () => undefined);
    },
  };
}
