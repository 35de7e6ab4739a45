import { setTimeout as sleep } from 'node:timers/promises';
import { type MetadataArgsV2Args, mintV2 } from '@metaplex-foundation/mpl-bubblegum';
import { setComputeUnitLimit } from '@metaplex-foundation/mpl-toolbox';
import {
  generateSigner,
  publicKey,
  type Signer,
  type TransactionBuilder,
} from '@metaplex-foundation/umi';
import bs58 from 'bs58';
import { z } from 'zod';
import { fundWallet } from '@/devnet/client/fund-wallet';
import { payToken } from '@/devnet/client/pay-token';
import { makeWallet } from '@/devnet/client/wallet';
import { startChain } from '@/devnet/chain/start-chain';
import type { AssetNow } from '@quittance/verify/chain/read-asset';
import type { Account } from '@quittance/verify/chain/rpc-schemas';
import { readTransfer } from '@quittance/verify/chain/read-transfer';
import { createRpc, type Rpc } from '@/server/chain/rpc';
import type { SecretKey } from '@/server/env';
import { makeEmbeddedKey, publicKeyOf } from '@/server/keys';
import { buildMint } from '@/server/nft/sign-mint';
import { buildTree } from '@/server/nft/create-tree';
import { decodeLeafEvents, mintMetadataArgs, readTreeRoots } from '@quittance/verify/nft/leaf';
import { offlineUmi, signerOf, signTransaction } from '@/server/nft/offline-umi';
import { planTree } from '@/server/nft/plan-tree';
import { sendUntilSettled } from '@/server/nft/begun-account';
import { encodeTags, type Tag } from '@quittance/verify/storage/encode-tags';
import { parseItem, writeItem } from '@quittance/verify/storage/item-format';
import { signByHand } from '@/server/storage/sign-by-hand.fixture';
import type { ItemParts } from '@quittance/verify/storage/verify-item';
import type { MintEvidence, ReceiptEvidence } from '@quittance/verify/receipts/check-evidence';
import { receiptName } from '@quittance/verify/receipts/write-metadata';
import { describeReceipt } from './describe-receipt';
import { drawReceipt } from './draw-receipt';
import { makeFacts } from './facts.fixture';
import { besideOf, legsOf } from '@quittance/verify/receipts/receipt-beside';

const GATEWAY = 'http://gateway.example';
/** How often a tree is looked at for a root, and the pause between two looks, of one slot, in ms. */
const MOST_LOOKS = 10;
const PAUSE_MS = 50;
const assetAnswer = z.object({
  ownership: z.object({ owner: z.string(), delegate: z.string().nullish() }),
});
const proofAnswer = z.object({ root: z.string(), proof: z.array(z.string()) });

/**
 * A real receipt, from payment to leaf, on an embedded chain of its own, with everything that a
 * check of it reads.
 */
export async function makeEvidence(): Promise<ReceiptEvidence> {
  return onChain((rpcUrl) => issueReceipt(rpcUrl));
}

/** Runs on an embedded chain that ends with it. */
export async function onChain<T>(run: (rpcUrl: string) => Promise<T>): Promise<T> {
  const running = await startChain({ slotMs: 50, finalityLag: 8 });
  try {
    return await run(running.url);
  } finally {
    await running.close();
  }
}

/** A receipt from payment to leaf on a chain that runs. */
export async function issueReceipt(
  rpcUrl: string,
  { third }: { third?: string } = {},
): Promise<ReceiptEvidence> {
  const rpc = createRpc({ urls: [rpcUrl], timeoutMs: 20_000 });
  const [payer, seller] = [makeWallet(), makeWallet()];
  await fundWallet(rpcUrl, { wallet: payer.address, sol: 1, token: 'USDC', amount: '10' });
  const signature = await payToken(rpcUrl, {
    from: payer,
    to: seller.address,
    token: 'USDC',
    amount: 750_000n,
  });
  const payment = await readTransfer({ rpc, network: 'local', signature });
  if (!payment.ok) throw new Error(payment.detail);

  const { finality, feePayer, memos, references, ...transfer } = payment.transfer;
  void [finality, feePayer, memos, references];
  const facts = makeFacts({
    ...transfer,
    otherLegs: legsOf(payment.transfer),
    beside: besideOf(payment.transfer),
    txSignature: signature,
    network: 'local',
    issuedAt: new Date(),
  });
  const minted = await issueFiles(rpcUrl, {
    owner: payer.address,
    other: seller.address,
    third,
    name: receiptName(facts),
    image: await drawReceipt(facts),
    publicUrl: facts.publicUrl,
    describe: (uri) => describeReceipt(facts, uri),
  });
  return { receiptId: facts.receiptId, ...minted, payment };
}

/** The signed and minted parts: two files, and the NFT that names them. */
export type Issued = {
  owner: string;
  name: string;
  image: Uint8Array;
  describe: (imageUri: string) => Uint8Array;
  /** Signs the files in place of the issuer's own key. */
  storage?: SecretKey;
  /** Further tags of both files. */
  tags?: Tag[];
  /** Fields of the NFT that differ from those of the service. */
  nft?: Partial<MetadataArgsV2Args>;
};

/** An issuer with its keys and its tree, which mints anything. */
export type OpenIssuer = {
  document: MintEvidence['issuer'];
  /** An NFT of a file that nobody has, or of the one named. */
  mint: (name: string, owner: string, file?: string) => Promise<string>;
  issue: (o: Issued) => Promise<MintEvidence>;
};

/** Signs two files and mints the NFT that names them, with keys and a tree that are new. */
export async function issueFiles(
  rpcUrl: string,
  o: Issued & {
    /** Gets the other NFTs in the tree. */
    other: string;
    /** Id of the file of the last of these. */
    third?: string | undefined;
    publicUrl: string;
  },
): Promise<MintEvidence> {
  const issuer = await openIssuer(rpcUrl, { publicUrl: o.publicUrl, depth: 3, buffer: 8 });
  await issuer.mint('Receipt of another', o.other);
  const evidence = await issuer.issue(o);
  await issuer.mint('Receipt of a third', o.other, o.third);
  return seeAgain(rpcUrl, evidence);
}

/** New keys and a new tree on an embedded chain. */
export async function openIssuer(
  rpcUrl: string,
  o: { publicUrl: string; depth: number; buffer: number },
): Promise<OpenIssuer> {
  const rpc = createRpc({ urls: [rpcUrl], timeoutMs: 20_000 });
  const [minter, storage] = [makeKey(), makeKey()];
  await fundWallet(rpcUrl, { wallet: minter.publicKey, sol: 5 });
  const tree = await plantTree(rpc, minter, o);
  const mintFile = (name: string, owner: string, metadataId: string, nft: Issued['nft'] = {}) =>
    mintInto(rpc, {
      minter,
      tree,
      wish: { name, metadataUri: `${GATEWAY}/${metadataId}`, owner },
      nft,
    });
  const used = { used_from: new Date(Date.now() - 3_600_000).toISOString(), used_until: null };
  const document: MintEvidence['issuer'] = {
    service: 'quittance',
    network: 'local',
    url: o.publicUrl,
    creators: [{ public_key: minter.publicKey, ...used }],
    storage_keys: [{ public_key: storage.publicKey, ...used }],
    trees: [{ address: tree, ...used }],
    collections: [],
  };
  return {
    document,
    mint: (name, owner, file) => mintFile(name, owner, file ?? makeKey().publicKey),
    issue: async (wish) => {
      const image = itemOf(wish.storage ?? storage, wish.image, 'image/png', wish.tags);
      const bytes = wish.describe(`${GATEWAY}/${image.id}`);
      const metadata = itemOf(wish.storage ?? storage, bytes, 'application/json', wish.tags);
      const minted = await mintFile(wish.name, wish.owner, metadata.id, wish.nft);
      const mintTransaction = await rpc.getTransaction(minted, 'confirmed');
      return seeAgain(rpcUrl, {
        issuer: document,
        metadata: { bytes: metadata.data, item: metadata },
        image: { bytes: image.data, item: image },
        mintTransaction,
        asset: {
          id: decodeLeafEvents(mintTransaction)[0]?.assetId ?? '',
          owner: null,
          delegate: null,
        },
        proof: null,
        tree: { address: tree, data: null },
      });
    },
  };
}

/** The evidence with the current NFT, proof and tree. */
export async function seeAgain(rpcUrl: string, evidence: MintEvidence): Promise<MintEvidence> {
  const rpc = createRpc({ urls: [rpcUrl], timeoutMs: 20_000 });
  const { id } = evidence.asset;
  const { address } = evidence.tree;
  const asset = assetAnswer.parse(await das(rpcUrl, 'getAsset', id));
  const proof = proofAnswer.parse(await das(rpcUrl, 'getAssetProof', id));
  const account = await readTree(rpc, { address, root: proof.root });
  return {
    ...evidence,
    asset: { id, owner: asset.ownership.owner, delegate: asset.ownership.delegate ?? null },
    proof: { root: proof.root, siblings: proof.proof },
    tree: { address, data: account?.data ?? new Uint8Array() },
  };
}

/** The account of a tree once it has a root: the index may be a slot ahead of what is confirmed. */
async function readTree(rpc: Rpc, o: { address: string; root: string }): Promise<Account | null> {
  for (let round = 0; ; round += 1) {
    const account = await rpc.getAccountInfo(o.address);
    const hasRoot = account && readTreeRoots(account.data)?.roots.includes(o.root);
    if (hasRoot || round === MOST_LOOKS) return account;
    await sleep(PAUSE_MS);
  }
}

export function makeKey(): SecretKey {
  const secret = makeEmbeddedKey();
  return { secret, publicKey: publicKeyOf(secret) };
}

/** The NFT and its tree from evidence that has them, in the form of a node and its index. */
export function seenOf({ asset, proof, tree }: MintEvidence): { asset: AssetNow; tree: Account } {
  if (asset.owner === null || !proof || !tree.data) throw new Error('the evidence lacks a part');
  const { id, owner, delegate } = asset;
  return {
    asset: { id, owner, delegate, proof },
    tree: { owner: '', lamports: 0n, data: Uint8Array.from(tree.data) },
  };
}

/** The file of an item in the form of a proof. */
export function fileOf({ item }: MintEvidence['metadata']) {
  const { signature, owner, anchor, tags, data } = item;
  const fields = { signature, anchor, data, owner: bs58.decode(owner), target: new Uint8Array() };
  const raw = writeItem({ ...fields, tagBytes: encodeTags(tags) }, tags.length);
  return { id: item.id, uri: `${GATEWAY}/${item.id}`, raw };
}

/** A signed item, in the parts that a storage node returns. */
export function itemOf(
  key: SecretKey,
  data: Uint8Array,
  contentType: string,
  more: Tag[] = [],
): ItemParts {
  const { id, raw, owner } = signByHand({
    key,
    data,
    contentType,
    tags: more,
    anchorSeed: contentType,
  });
  const item = parseItem(raw);
  if (!item) throw new Error('a signed item cannot be read');
  const { signature, anchor, tags } = item;
  return { id, owner, signature, anchor, tags, data: item.data };
}

async function plantTree(
  rpc: Rpc,
  minter: SecretKey,
  { depth, buffer }: { depth: number; buffer: number },
): Promise<string> {
  const planning = planTree({ depth, buffer, canopy: 0 });
  if (!planning.ok) throw new Error(planning.reason);
  const tree = generateSigner(offlineUmi());
  const rentLamports = await rpc.getMinimumBalanceForRentExemption(planning.plan.bytes);
  const signer = signerOf(minter);
  const builder = buildTree({ plan: planning.plan, tree, minter: signer, rentLamports });
  await sendUntilSettled(
    rpc,
    await signTransaction(builder, signer, await rpc.getLatestBlockhash()),
  );
  return tree.publicKey;
}

async function mintInto(
  rpc: Rpc,
  o: {
    minter: SecretKey;
    tree: string;
    wish: Parameters<typeof buildMint>[0]['mint'];
    nft: Partial<MetadataArgsV2Args>;
  },
): Promise<string> {
  const minter = signerOf(o.minter);
  const { tree, wish, nft } = o;
  const builder =
    Object.keys(nft).length === 0
      ? buildMint({ mint: wish, collection: null, tree, minter, priorityFeeMicroLamports: 0 })
      : mintOtherwise({ minter, tree, wish, nft });
  const signed = await signTransaction(builder, minter, await rpc.getLatestBlockhash());
  await sendUntilSettled(rpc, signed);
  return signed.signature;
}

/** The mint of an NFT that says something else of itself than those of the service. */
function mintOtherwise(o: {
  minter: Signer;
  tree: string;
  wish: Parameters<typeof buildMint>[0]['mint'];
  nft: Partial<MetadataArgsV2Args>;
}): TransactionBuilder {
  const { minter, wish, nft } = o;
  const umi = offlineUmi();
  const args = mintMetadataArgs({
    name: wish.name,
    uri: wish.metadataUri,
    creator: minter.publicKey,
    collection: null,
  });
  return setComputeUnitLimit(umi, { units: 150_000 }).add(
    mintV2(umi, {
      payer: minter,
      leafOwner: publicKey(wish.owner),
      merkleTree: publicKey(o.tree),
      metadata: { ...args, ...nft },
    }),
  );
}

async function das(url: string, method: string, id: string): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { id } }),
  });
  return z.object({ result: z.unknown() }).parse(await response.json()).result;
}
