import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { loadDotEnv, pointAtEmbeddedStack } from '@/devnet/settings';
import { rpc } from '@/server/chain/rpc';
import { db } from '@/server/db/client';
import { databaseNow } from '@/server/db/database-time';
import { env, SettingsError, type Env } from '@/server/env';
import { toDecimal } from '@/server/money';
import { createCollection } from '@/server/nft/create-collection';
import { createTree } from '@/server/nft/create-tree';
import { listTrees } from '@/server/nft/list-trees';
import { planTree, type TreePlan } from '@/server/nft/plan-tree';
import { priceTree } from '@/server/nft/price-tree';
import { registerTree } from '@/server/nft/register-tree';
import { syncTree } from '@/server/nft/sync-tree';
import { treeSpace } from '@/server/nft/tree-space';
import { MINT_LAMPORTS } from '@/server/nft/program-error';

const HELP = `npm run tree:create -- [options]

  --depth N             14 by default: 2^N receipts
  --buffer N            64 by default: changes in one block
  --canopy N            8 by default: longer is dearer and makes shorter proofs
  --collection          also makes an MPL Core collection
  --frozen-collection   also makes one whose items cannot be moved
  --name TEXT           name of the collection (the service name by default)
  --register ADDRESS    makes nothing, puts a tree of the chain on record
  --sync                makes nothing, counts the leaves of each tree from the chain
  --if-none             does nothing when a tree has room
  --yes                 asks nothing`;

/** An MPL Core collection with its plugins: measured 1,900,000 lamports of rent, and fees. */
const COLLECTION_LAMPORTS = 2_500_000n;
/** What an account must keep to exist. */
const LEAST_BALANCE_LAMPORTS = 890_880n;

const FLAGS = {
  depth: { type: 'string', default: '14' },
  buffer: { type: 'string', default: '64' },
  canopy: { type: 'string', default: '8' },
  collection: { type: 'boolean', default: false },
  'frozen-collection': { type: 'boolean', default: false },
  name: { type: 'string' },
  register: { type: 'string' },
  sync: { type: 'boolean', default: false },
  'if-none': { type: 'boolean', default: false },
  yes: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/** A refusal that needs one line and no stack. */
class Refusal extends Error {}

async function main(): Promise<void> {
  const flags = parseArgs({ options: FLAGS }).values;
  if (flags.help) return console.log(HELP);
  const planning = planTree({
    depth: Number(flags.depth),
    buffer: Number(flags.buffer),
    canopy: Number(flags.canopy),
  });
  if (!planning.ok) throw new Refusal(planning.reason);
  loadDotEnv();
  pointAtEmbeddedStack();
  const settings = env();
  if (flags.register !== undefined) return register(settings, flags.register);
  if (flags.sync) return sync(settings);
  if (flags['if-none']) {
    const space = await treeSpace(db(), {
      network: settings.network,
      minter: settings.minter.publicKey,
    });
    if (space.left > 0n) return console.log(`nothing to do: room for ${space.left} receipts`);
  }
  const kinds = [
    ...(flags.collection ? (['standard'] as const) : []),
    ...(flags['frozen-collection'] ? (['frozen'] as const) : []),
  ];
  await showCost(settings, planning.plan, kinds.length);
  if (!flags.yes && !(await confirmed())) throw new Refusal('nothing was made');
  const shared = { db: db(), rpc: rpc(), minter: settings.minter, network: settings.network };
  const tree = await createTree({
    ...shared,
    plan: planning.plan,
    now: await databaseNow(db()),
    onAddress: (address) =>
      console.log(`making ${address} (should this end early: --register ${address})`),
  });
  console.log(`tree ${tree.address}`);
  for (const kind of kinds) {
    const collection = await createCollection({
      ...shared,
      kind,
      name: flags.name ?? settings.serviceName,
      uri: `${settings.publicUrl}/.well-known/quittance.json`,
      now: await databaseNow(db()),
    });
    console.log(`${kind} collection ${collection.address}`);
  }
}

async function register(settings: Env, address: string): Promise<void> {
  const minter = settings.minter.publicKey;
  const { network } = settings;
  await registerTree({
    db: db(),
    rpc: rpc(),
    address,
    minter,
    network,
    now: await databaseNow(db()),
  });
  console.log(`tree ${address} is on record`);
}

async function sync(settings: Env): Promise<void> {
  for (const { address, capacity } of await listTrees(db(), settings.network)) {
    const minted = await syncTree({ db: db(), rpc: rpc(), address, now: await databaseNow(db()) });
    console.log(`tree ${address} holds ${minted} of ${capacity}`);
  }
}

/** Prints what will be spent and from what; throws {@link Refusal} when there is not enough. */
async function showCost(settings: Env, plan: TreePlan, collections: number): Promise<void> {
  const { totalLamports } = await priceTree(rpc(), plan);
  const cost = totalLamports + COLLECTION_LAMPORTS * BigInt(collections);
  const balance = await rpc().getBalance(settings.minter.publicKey);
  const sol = (lamports: bigint) => `${toDecimal(lamports, 9)} SOL`;
  console.log(`network   ${settings.network}`);
  console.log(`tree      depth ${plan.depth}, buffer ${plan.buffer}, canopy ${plan.canopy}`);
  console.log(`size      ${plan.bytes} bytes`);
  console.log(`capacity  ${plan.capacity} receipts, each ${sol(MINT_LAMPORTS)} and priority fee`);
  console.log(`cost      ${sol(cost)}, which stays in the accounts`);
  console.log(`balance   ${sol(balance)} of minter ${settings.minter.publicKey}`);
  if (balance < cost + LEAST_BALANCE_LAMPORTS)
    throw new Refusal(`the minter lacks ${sol(cost + LEAST_BALANCE_LAMPORTS - balance)}`);
}

async function confirmed(): Promise<boolean> {
  if (!process.stdin.isTTY) throw new Refusal('nothing was made: add --yes to spend this');
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question('Spend this? [y/N] ');
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}

main()
  .catch((error: unknown) => {
    const text = error instanceof Error ? error.message : String(error);
    const isExpected = error instanceof Refusal || error instanceof SettingsError;
    console.error(isExpected ? text : `the tree was not made: ${text}`);
    process.exitCode = 1;
  })
  .finally(() => db().$disconnect())
  .catch(() => undefined);
