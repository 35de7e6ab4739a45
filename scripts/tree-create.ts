import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { loadDotEnv, pointAtEmbeddedStack } from './environment';
import { refuseRevokedKeys } from '@/server/admin/revoke-key';
import { rpc } from '@/server/chain/rpc';
import { db } from '@/server/db/client';
import { databaseNow } from '@/server/db/database-clock';
import { env, SettingsError, type Env } from '@/server/env';
import { toDecimal } from '@quittance/verify/money';
import { abandonBegun } from '@/server/nft/begun-account';
import {
  type CollectionContents,
  collectionTexts,
  missingCollections,
  nameContents,
  priceCollection,
} from '@/server/nft/collections';
import { createCollection } from '@/server/nft/create-collection';
import { createTree } from '@/server/nft/create-tree';
import { listTrees, registerTree, syncTree, treeSpace } from '@/server/nft/trees';
import { planTree, priceTree, type TreePlan } from '@/server/nft/plan-tree';
import { MINT_LAMPORTS } from '@/server/nft/offline-umi';

const HELP = `npm run tree:create -- [options]

  --depth N             14 by default: 2^N receipts
  --buffer N            64 by default: changes in one block
  --canopy N            8 by default: longer is dearer and makes shorter proofs
  --collections         makes no tree, only the collections that are missing
  --register ADDRESS    makes nothing, records a tree of the chain
  --sync                makes nothing, counts the leaves of each tree from the chain
  --if-none             makes no tree if one has space
  --anew                drops the unfinished work of an earlier run
  --yes                 does not ask before it spends

The first tree of a minter brings its collections, one for receipts and one for statements. With
FROZEN_RECEIPTS=1 it brings a frozen one as well, for receipts that their payer requests. Every step is
recorded before it is sent. If the command ended early, run it again to finish its work.`;

/** The minimum balance of an account. */
const LEAST_BALANCE_LAMPORTS = 890_880n;

const FLAGS = {
  depth: { type: 'string', default: '14' },
  buffer: { type: 'string', default: '64' },
  canopy: { type: 'string', default: '8' },
  collections: { type: 'boolean', default: false },
  register: { type: 'string' },
  sync: { type: 'boolean', default: false },
  'if-none': { type: 'boolean', default: false },
  anew: { type: 'boolean', default: false },
  yes: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/** A refusal that needs one line and no stack trace. */
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
  await pointAtEmbeddedStack();
  const settings = env();
  if (flags.register !== undefined) return register(settings, flags.register);
  if (flags.sync) return sync(settings);
  await refuseRevokedKeys(db(), settings);
  const owner = { network: settings.network, minter: settings.minter.publicKey };
  if (flags.anew)
    for (const address of await abandonBegun(db(), owner)) console.log(`gave up ${address}`);
  const room = flags['if-none'] ? (await treeSpace(db(), owner)).left : 0n;
  if (room > 0n) console.log(`space for ${room} receipts: no tree is made`);
  const wish: Wish = {
    plan: flags.collections || room > 0n ? null : planning.plan,
    collections: await missingCollections(db(), {
      ...owner,
      frozenReceipts: settings.frozenReceipts,
    }),
  };
  if (wish.plan === null && wish.collections.length === 0) return console.log('nothing to do');
  await showCost(settings, wish);
  if (!flags.yes && !(await confirmed())) throw new Refusal('nothing was made');
  await make(settings, wish);
}

/** The accounts to make. `plan` is null for no tree. */
type Wish = { plan: TreePlan | null; collections: CollectionContents[] };

/** Makes all at once, because none waits for another. A failed one does not stop the others. */
async function make(settings: Env, { plan, collections }: Wish): Promise<void> {
  const { minter, network } = settings;
  const onAddress = (address: string) =>
    console.log(`making ${address} (if this ends early, run it again)`);
  const shared = { db: db(), rpc: rpc(), minter, network, onAddress };
  const makeTree = async (tree: TreePlan) => {
    const made = await createTree({ ...shared, plan: tree, now: await databaseNow(db()) });
    console.log(`tree ${made.address}`);
  };
  const makeCollection = async (holds: CollectionContents) => {
    const made = await createCollection({ ...shared, holds, ...collectionTexts(settings, holds) });
    console.log(`collection of ${nameContents(holds)} ${made.address}`);
  };
  const settled = await Promise.allSettled([
    ...(plan === null ? [] : [makeTree(plan)]),
    ...collections.map(makeCollection),
  ]);
  for (const one of settled) if (one.status === 'rejected') throw one.reason;
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
  console.log(`tree ${address} is recorded`);
}

async function sync(settings: Env): Promise<void> {
  for (const { address, capacity } of await listTrees(db(), settings.network)) {
    const minted = await syncTree({ db: db(), rpc: rpc(), address, now: await databaseNow(db()) });
    console.log(`tree ${address} holds ${minted} of ${capacity}`);
  }
}

/** Prints the cost and the balance that pays it. Throws {@link Refusal} when it is not enough. */
async function showCost(settings: Env, { plan, collections }: Wish): Promise<void> {
  const prices = await Promise.all([
    plan === null ? 0n : (await priceTree(rpc(), plan)).totalLamports,
    ...collections.map((holds) => priceCollection(rpc(), collectionTexts(settings, holds), holds)),
  ]);
  const cost = prices.reduce((sum, price) => sum + price, 0n);
  const balance = await rpc().getBalance(settings.minter.publicKey);
  const sol = (lamports: bigint) => `${toDecimal(lamports, 9)} SOL`;
  console.log(`network   ${settings.network}`);
  if (plan !== null) {
    console.log(`tree      depth ${plan.depth}, buffer ${plan.buffer}, canopy ${plan.canopy}`);
    console.log(`size      ${plan.bytes} bytes`);
    console.log(`capacity  ${plan.capacity} receipts, each ${sol(MINT_LAMPORTS)} and priority fee`);
  }
  for (const holds of collections)
    console.log(`makes     the collection of ${nameContents(holds)}`);
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
