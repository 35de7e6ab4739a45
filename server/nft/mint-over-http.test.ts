import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startChain, type RunningChain } from '@/devnet/chain/start-chain';
import { fundWallet } from '@/devnet/client/fund-wallet';
import { createRpc } from '@/server/chain/rpc';
import { systemClock } from '@/server/clock';
import { makeEmbeddedKey, publicKeyOf } from '@/server/keys';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { claimMint } from './mint-rows';
import { createTree } from './create-tree';
import { readTreeRoots, rootFromProof } from '@quittance/verify/nft/leaf';
import { lookAgain } from './look-again';
import { addMint } from './minting.fixture';
import { planTree } from './plan-tree';
import { recordLeaf } from './read-leaf';
import { sendMint } from './send-mint';
import { settleMint } from './settle-mint';
import { signMint } from './sign-mint';

let database: TestDatabase;
let chain: RunningChain;

beforeAll(async () => {
  database = await createTestDatabase();
  chain = await startChain({ slotMs: 100, finalityLag: 8 });
});
afterAll(async () => {
  await chain.close();
  await database.close();
});

test('over JSON-RPC a mint goes from signing to closed, and its leaf proves against the tree', async () => {
  const db = database.prisma;
  const rpc = createRpc({ urls: [chain.url], timeoutMs: 20_000 });
  const secret = makeEmbeddedKey();
  const minter = { secret, publicKey: publicKeyOf(secret) };
  await fundWallet(chain.url, { wallet: minter.publicKey, sol: 5 });
  const planning = planTree({ depth: 3, buffer: 8, canopy: 0 });
  if (!planning.ok) throw new Error(planning.reason);
  const now = systemClock.now();
  const shared = { db, rpc, minter, network: 'local', now } as const;
  const tree = await createTree({ ...shared, plan: planning.plan });

  const mint = await addMint(db);
  const claimed = await claimMint({ db, id: mint.id, owner: 'test', leaseMs: 600_000, now });
  if (!claimed) throw new Error('the mint could not be claimed');
  const step = { ...shared, ...claimed };
  const signed = await signMint({ ...step, priorityFeeMicroLamports: 20_000 });
  if (signed.state !== 'signed') throw new Error(signed.state);
  const { attempt } = signed;
  expect(await sendMint({ ...step, attempt })).toEqual({ state: 'sent' });
  const settled = await settleMint({ ...step, attempt, budgetMs: 60_000, clock: systemClock });
  expect(settled).toMatchObject({ state: 'landed' });
  const recorded = await recordLeaf({ ...step, attempt });
  let seen = await lookAgain({ ...step, attempt });
  for (let looks = 0; seen.state === 'not_yet' && looks < 600; looks += 1) {
    await sleep(100);
    seen = await lookAgain({ ...step, attempt });
  }
  expect(seen).toEqual({ state: 'closed' });

  const row = await db.mint.findUniqueOrThrow({ where: { id: mint.id } });
  expect(recorded).toEqual({ state: 'recorded', assetId: row.assetId });
  expect(row).toMatchObject({ status: 'completed', stage: 'closed', tree: tree.address });
  const proof = await das(chain.url, 'getAssetProof', { id: row.assetId });
  const account = await rpc.getAccountInfo(tree.address);
  const roots = readTreeRoots(account?.data ?? new Uint8Array())?.roots ?? [];
  expect(roots).toContain(rootFromProof(proof.leaf, proof.proof, row.leafIndex ?? -1n));
});

async function das(
  url: string,
  method: string,
  params: object,
): Promise<{ leaf: string; proof: string[] }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result } = (await response.json()) as { result: { leaf: string; proof: string[] } };
  return result;
}
