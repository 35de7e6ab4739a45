import { Connection, PublicKey } from '@solana/web3.js';
import { z } from 'zod';
import { callRpc } from '@/devnet/client/call-rpc';
import { TOKENS } from '@/devnet/client/pay-token';
import { createRpc } from '@/server/chain/rpc';
import { readTree } from '@/server/nft/trees';
import { usdcAccount } from '../make-payment';
import type { TestService } from '../to-test-service';
import { statementKey, type Evidence, type Purchase } from './judge';

const PAGE = 1_000;

const owned = z.object({
  items: z.array(z.object({ burnt: z.boolean(), content: z.object({ json_uri: z.string() }) })),
});

/** The wallet that is paid: its incoming payments, and its balance. */
type PaidWallet = { incoming: Evidence['incoming']; balance: bigint };

/** Reads everything that a verdict needs. `before` is the state of the paid wallet at the start. */
export async function gatherEvidence(
  service: TestService,
  o: { purchases: Purchase[]; before: PaidWallet },
): Promise<Evidence> {
  const { prisma, rpcUrl } = service;
  const received = await readPaidWallet(service);
  const earlier = new Set(o.before.incoming.map(({ signature }) => signature));
  const receipts = await prisma.receipt.findMany({ where: { releasedAt: null } });
  const statements = await prisma.statement.findMany({ select: { id: true, wallet: true } });
  const mints = new Map((await prisma.mint.findMany()).map((mint) => [mint.id, mint]));
  return {
    purchases: o.purchases,
    receipts: [
      ...receipts,
      ...statements.map(({ id, wallet }) => ({ id, txSignature: statementKey(wallet) })),
    ].map(({ id, txSignature }) => ({
      id,
      txSignature,
      metadataUri: mints.get(id)?.metadataUri ?? '',
      status: mints.get(id)?.status ?? 'without a mint',
    })),
    payments: await prisma.payment.findMany(),
    incoming: received.incoming.filter(({ signature }) => !earlier.has(signature)),
    arrived: received.balance - o.before.balance,
    nfts: await countByUri(rpcUrl, [...new Set(o.purchases.map(({ payer }) => payer))]),
    minted: await countLeaves(service),
  };
}

/** Reads the paid wallet, and repeats it until no payment arrives in between. */
export async function readPaidWallet({ rpcUrl, appEnv }: TestService): Promise<PaidWallet> {
  const wallet = appEnv['PAY_TO'] ?? '';
  for (;;) {
    const balance = await usdcOf(rpcUrl, wallet);
    const incoming = await readIncoming(rpcUrl, wallet);
    if (balance === (await usdcOf(rpcUrl, wallet))) return { incoming, balance };
  }
}

/** Final USDC of a wallet in base units, 0 if it has no account. */
async function usdcOf(rpcUrl: string, wallet: string): Promise<bigint> {
  const connection = new Connection(rpcUrl, 'finalized');
  const { value } = await connection.getTokenAccountsByOwner(new PublicKey(wallet), {
    mint: new PublicKey(TOKENS.USDC.mint),
  });
  return value.reduce((sum, { account }) => sum + account.data.readBigUInt64LE(64), 0n);
}

/** Every transaction that raised the USDC of a wallet, read from the chain alone. */
async function readIncoming(rpcUrl: string, wallet: string): Promise<Evidence['incoming']> {
  const connection = new Connection(rpcUrl, 'finalized');
  const incoming: Evidence['incoming'] = [];
  const account = usdcAccount(wallet);
  for (let before: string | undefined; ;) {
    const page = await connection.getSignaturesForAddress(
      account,
      { limit: PAGE, ...(before === undefined ? {} : { before }) },
      'finalized',
    );
    for (const { signature, err } of page)
      if (err === null) incoming.push(...(await readPayment(connection, signature, wallet)));
    before = page.at(-1)?.signature;
    if (page.length < PAGE) return incoming;
  }
}

async function readPayment(
  connection: Connection,
  signature: string,
  wallet: string,
): Promise<Evidence['incoming']> {
  const transaction = await connection.getTransaction(signature, {
    commitment: 'finalized',
    maxSupportedTransactionVersion: 0,
  });
  const changes = new Map<string, bigint>();
  const count = (sign: bigint, list: NonNullable<typeof transaction>['meta']) =>
    (sign > 0n ? list?.postTokenBalances : list?.preTokenBalances)
      ?.filter(({ mint }) => mint === TOKENS.USDC.mint)
      .forEach(({ owner = '', uiTokenAmount }) =>
        changes.set(owner, (changes.get(owner) ?? 0n) + sign * BigInt(uiTokenAmount.amount)),
      );
  count(1n, transaction?.meta ?? null);
  count(-1n, transaction?.meta ?? null);
  const amount = changes.get(wallet) ?? 0n;
  const [payer] = [...changes].find(([, change]) => change < 0n) ?? [''];
  return amount > 0n ? [{ signature, payer, amount }] : [];
}

/** NFTs of the wallets by the chain's own index, by the address of their metadata. */
async function countByUri(rpcUrl: string, owners: string[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const ownerAddress of owners) {
    const params = { ownerAddress, page: 1, limit: 100 };
    const { items } = owned.parse(await callRpc(rpcUrl, 'getAssetsByOwner', params));
    for (const { burnt, content } of items)
      if (!burnt) counts.set(content.json_uri, (counts.get(content.json_uri) ?? 0) + 1);
  }
  return counts;
}

/** By the counters in the accounts of the trees. */
async function countLeaves({ prisma, rpcUrl }: TestService): Promise<bigint> {
  const rpc = createRpc({ urls: [rpcUrl], timeoutMs: 5_000 });
  let leaves = 0n;
  for (const { address } of await prisma.tree.findMany()) {
    const reading = await readTree(rpc, address);
    if (!reading.ok) throw new Error(reading.reason);
    leaves += reading.tree.minted;
  }
  return leaves;
}
