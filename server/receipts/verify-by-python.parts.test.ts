import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import bs58 from 'bs58';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { readNode } from '@quittance/verify/chain/read-node';
import { decodeLeafEvents, rootFromProof } from '@quittance/verify/nft/leaf';
import { COMPRESSION_PROGRAM } from '@quittance/verify/nft/programs';
import { EMPTY_LEAF } from '@quittance/verify/nft/tree-changes';
import type { ReceiptEvidence } from '@quittance/verify/receipts/check-evidence';
import { type ProofDocument, writeMintProof } from '@quittance/verify/receipts/proof-document';
import { startFakeNode, type FakeNode } from '@/tests/harness/chain/fake-node';
import { runPythonVerify } from '@/tests/harness/run-command';
import { fileOf, issueReceipt, onChain, seenOf } from './evidence.fixture';

const minted = z.looseObject({
  blockTime: z.number(),
  transaction: z.looseObject({ signatures: z.tuple([z.string()], z.string()) }),
});
const askedFor = z.tuple([z.string()], z.unknown());

let good: ReceiptEvidence;
let proof: ProofDocument;
let mintedAt: number;
let tree: Buffer;
let siblings: string[];
/** How much later the node says that the NFT was minted. */
let delayS = 0;
let node: FakeNode;
const dir = mkdtempSync(join(tmpdir(), 'verify-by-python-'));

beforeAll(() =>
  onChain(async (rpcUrl) => {
    good = await issueReceipt(rpcUrl);
    const [leaf] = decodeLeafEvents(good.mintTransaction);
    if (!leaf || !good.payment.ok) throw new Error('no leaf or no payment');
    const mint = minted.parse(good.mintTransaction);
    const mintSignature = mint.transaction.signatures[0];
    const tx_signature = good.payment.transfer.signature;
    const seen = seenOf(good);
    mintedAt = mint.blockTime;
    tree = Buffer.from(seen.tree.data);
    siblings = seen.asset.proof.siblings;
    const written = writeMintProof({
      network: 'local',
      issuerUrl: `${good.issuer.url}/.well-known/quittance.json`,
      mintSignature,
      metadata: fileOf(good.metadata),
      image: fileOf(good.image),
      leaf,
      asset: seen.asset,
    });
    proof = { ...written, receipt_id: good.receiptId, tx_signature };
    const payment = await readNode(rpcUrl).getTransaction(tx_signature, 'confirmed');
    const transactions = new Map<string, unknown>([
      [mintSignature, mint],
      [tx_signature, payment],
    ]);
    node = await startFakeNode(({ method, params }) => {
      const [asked] = askedFor.parse(params);
      if (method === 'getTransaction' && asked === mintSignature)
        return { result: { ...mint, blockTime: mintedAt + delayS } };
      if (method === 'getTransaction') return { result: transactions.get(asked) ?? null };
      const value = { owner: COMPRESSION_PROGRAM, data: [tree.toString('base64'), 'base64'] };
      return { result: { value } };
    });
  }),
);
afterAll(async () => {
  await node.close();
  rmSync(dir, { recursive: true, force: true });
});

/** Exit code and verdict for a proof; without one there is no such file. */
async function judge(o: {
  proof: unknown;
  issuer?: unknown;
}): Promise<[code: number, verdict: string | undefined]> {
  const [proofFile, issuerFile] = [join(dir, 'proof.json'), join(dir, 'issuer.json')];
  rmSync(proofFile, { force: true });
  if (o.proof !== undefined) writeFileSync(proofFile, JSON.stringify(o.proof));
  writeFileSync(issuerFile, JSON.stringify(o.issuer ?? good.issuer));
  const { code, output } = await runPythonVerify(dir, [proofFile, issuerFile, node.url]);
  return [code, output.trim().split('\n').at(-1)];
}
const GENUINE = [0, 'genuine'];
const FORGED = [1, 'not genuine'];
const UNDECIDED = [2, 'could not be checked'];

/** The tree in which this root is the one of so many changes ago. */
function withRoot(root: string, age: number): Buffer {
  const changed = Buffer.from(tree);
  const at = Number(tree.readBigUInt64LE(64)) - age;
  Buffer.from(bs58.decode(root)).copy(changed, 80 + at * (40 + 32 * siblings.length));
  return changed;
}

test('a burnt receipt is genuine where the leaf is empty now, and only there', async () => {
  const asIs = tree;
  const root = rootFromProof(EMPTY_LEAF, siblings, BigInt(proof.leaf_index));
  const burnt = { ...proof, burnt: true, root };
  expect(await judge({ proof })).toEqual(GENUINE);
  expect(await judge({ proof: { ...proof, burnt: true } })).toEqual(FORGED);
  tree = withRoot(root, 0);
  expect(await judge({ proof: burnt })).toEqual(GENUINE);
  tree = asIs;
  tree = withRoot(root, 1);
  expect(await judge({ proof: burnt })).toEqual(UNDECIDED);
  tree = asIs;
});

test('a proof without a path in the tree cannot be checked, and the output says why', async () => {
  const bare = { ...proof, holder: null, root: null, proof: null };
  expect(await judge({ proof: bare })).toEqual(UNDECIDED);
  const files = [join(dir, 'proof.json'), join(dir, 'issuer.json')];
  const { output } = await runPythonVerify(dir, [...files, node.url]);
  expect(output).toContain('this proof has no path in the tree: use quittance-verify');
});

test('a document that is missing or of another form decides nothing', async () => {
  expect(await judge({ proof: undefined })).toEqual(UNDECIDED);
  expect(await judge({ proof: [] })).toEqual(UNDECIDED);
  expect(await judge({ proof, issuer: [] })).toEqual(UNDECIDED);
});

test('a revoked key counts by the time of the mint as well as by the time that is stated', async () => {
  const revoked = (seconds: number) => {
    const used_until = new Date(seconds * 1000).toISOString();
    const storage_keys = good.issuer.storage_keys.map((key) => ({
      ...key,
      used_until,
      revoked_at: used_until,
    }));
    return { ...good.issuer, storage_keys };
  };
  // Both may fall into one second, so the mint time is some seconds later.
  delayS = 5;
  expect(await judge({ proof, issuer: revoked(mintedAt + delayS) })).toEqual(GENUINE);
  expect(await judge({ proof, issuer: revoked(statedTime()) })).toEqual(FORGED);
  delayS = 0;
});

test('a file waits for its mint for a day at most after the end of its key', async () => {
  const used_until = new Date(mintedAt * 1000).toISOString();
  const storage_keys = good.issuer.storage_keys.map((key) => ({ ...key, used_until }));
  const issuer = { ...good.issuer, storage_keys };
  const judged = async (hours: number) => {
    delayS = hours * 3600;
    return judge({ proof, issuer });
  };
  expect([await judged(23), await judged(26)]).toEqual([GENUINE, UNDECIDED]);
  delayS = 0;
});

/** When the metadata says that the receipt was issued, in seconds. */
function statedTime(): number {
  const text = Buffer.from(good.metadata.bytes).toString('utf8');
  const [, time = ''] = /"Issued at \(UTC\)","value":"([^"]+)"/.exec(text) ?? [];
  return Date.parse(time) / 1000;
}
