import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeEmbeddedKey, parseSecretKey } from '@/server/keys';
import { Chain } from './chain';
import { createDas } from './das/create-das';
import { fetchJsonOverHttp } from './das/off-chain-json';
import { openFaucet } from './faucet';
import { loadPrograms } from './load-programs';
import { loadClock, persistChain, saveClock } from './persist-chain';
import { plantAccounts } from './plant-accounts';
import { loadRecorded } from './recorded/load-recorded';
import { accountMethods } from './rpc/account-methods';
import { clusterMethods } from './rpc/cluster-methods';
import { openFaults } from './rpc/faults';
import { NO_GAPS, openNode } from './rpc/node';
import type { Methods } from './rpc/params';
import { faucetRoutes, faultRoutes, nodeRoutes } from './rpc/routes';
import { sendMethods } from './rpc/send-methods';
import { serveNode, type Routes, type ServedNode } from './rpc/serve-node';
import { transactionMethods } from './rpc/transaction-methods';
import { startSlotClock } from './slot-clock';
import { planVanishing } from './vanish-plans';

/** About five seconds to finality at 400 ms a slot, so that a demonstration is quick. */
const DEFAULT_FINALITY_SLOTS = 12;

export type StartChainOptions = {
  /** Port of the RPC. The WebSocket is on the next. 0 takes a free pair. */
  port?: number;
  /** Port of a second node over the same ledger. Null or left out for none. */
  secondPort?: number | null;
  /**
   * The chain is kept in `<dataDir>/chain`, its faucet's key in `<dataDir>/keys`. Without it, in
   * memory.
   */
  dataDir?: string | null;
  slotMs?: number;
  /** Slots from landing to finality. */
  finalityLag?: number;
  /** Recorded transactions to serve as finalized history. */
  txDir?: string | null;
  /** Programs (`*.so`) to run instead of the emulation. */
  programsDir?: string | null;
  /** The source of time. Tests pass their own clock. */
  nowMs?: () => number;
};

export type RunningChain = {
  url: string;
  wsUrl: string;
  /** The ledger, for tests in the same process. */
  chain: Chain;
  faucetAddress: string;
  close(): Promise<void>;
};

/** Starts the embedded Solana chain: ledger, RPC, WebSocket, DAS, faucet and fault switches. */
export async function startChain(o: StartChainOptions = {}): Promise<RunningChain> {
  const folder = o.dataDir ? join(o.dataDir, 'chain') : null;
  const clock = startSlotClock({
    slotMs: o.slotMs,
    nowMs: o.nowMs,
    state: folder ? loadClock(folder) : undefined,
    onChange: folder ? (state) => saveClock(folder, state) : undefined,
  });
  const chain = new Chain({ clock, finalityLag: o.finalityLag ?? DEFAULT_FINALITY_SLOTS });
  loadPrograms(chain, o.programsDir ?? null);
  const das = createDas(chain, { fetchJson: fetchJsonOverHttp });
  const vanishing = planVanishing(chain);
  const journal = folder ? persistChain(chain, folder) : null;
  const flush = async () => journal?.flush();

  const faucet = openFaucet(chain, o.dataDir ? faucetKey(o.dataDir) : makeEmbeddedKey());
  plantAccounts(chain, faucet.address);
  await flush();
  const recorded = o.txDir ? loadRecorded(o.txDir) : new Map();
  for (const { line } of recorded.values()) chain.history.addRecorded(line);

  const methods: Methods = {
    ...clusterMethods,
    ...accountMethods,
    ...transactionMethods,
    ...sendMethods,
    ...das.methods,
  };
  const served: ServedNode[] = [];
  const open = async (at: { port: number; lagSlots: number; routes: Routes }) => {
    const faults = openFaults({ chain, vanishing, lagSlots: at.lagSlots });
    const { lagSlots, isListed, tellsPositions, aheadSlots } = faults;
    const view = { chain, recorded, faucet, lagSlots, isListed, tellsPositions, aheadSlots };
    const node = openNode({ ...view, gaps: faults.gaps });
    const whole = openNode({ ...view, gaps: NO_GAPS });
    const routes = { ...at.routes, ...faucetRoutes(faucet, flush), ...faultRoutes(faults) };
    const { settle } = vanishing;
    const one = await serveNode({
      node,
      whole,
      methods,
      faults,
      settle,
      flush,
      port: at.port,
      routes,
    });
    served.push(one);
    return one;
  };
  const { url, wsUrl } = await open({
    port: o.port ?? 0,
    lagSlots: 0,
    routes: nodeRoutes((lagSlots) => open({ port: 0, lagSlots, routes: {} })),
  });

  if (o.secondPort) await open({ port: o.secondPort, lagSlots: 0, routes: {} });

  return {
    url,
    wsUrl,
    chain,
    faucetAddress: faucet.address,
    async close() {
      for (const one of served.splice(0)) await one.close();
      await journal?.close();
    },
  };
}

/** The faucet's key under `<dataDir>/keys`, made on first use and kept. */
function faucetKey(dataDir: string): Uint8Array {
  const file = join(dataDir, 'keys', 'faucet.json');
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(`${file}.part`, JSON.stringify([...makeEmbeddedKey()]), { mode: 0o600 });
    renameSync(`${file}.part`, file);
  }
  const secret = parseSecretKey(readFileSync(file, 'utf8'));
  if (!secret) throw new Error(`${file} is not a key. Remove it together with the chain's folder.`);
  return secret;
}
