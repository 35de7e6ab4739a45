import {
  createApproveInstruction,
  createTransferCheckedInstruction,
  createTransferInstruction,
  getAssociatedTokenAddressSync,
} from '@solana/spl-token';
import {
  ComputeBudgetProgram,
  type AddressLookupTableAccount,
  type MessageV0,
  PublicKey,
  Transaction,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
  type Keypair,
} from '@solana/web3.js';
import { z } from 'zod';
import { startTestChain, type TestChain } from '@/devnet/chain/testing/test-chain';
import { TOKENS } from '@/devnet/client/pay-token';
import { createRpc } from '@/server/chain/rpc';
import { MEMO_PROGRAMS } from '@quittance/verify/chain/programs';
import { makeEmbeddedKey, publicKeyOf } from '@/server/keys';
import type { FacilitatorParts } from './settle-exact';

export const USDC = new PublicKey(TOKENS.USDC.mint);
export const USDT = new PublicKey(TOKENS.USDT.mint);
export const PRICE = 100_000n;

export const QUOTE = {
  id: 'QT000000000000000001',
  priceMicros: PRICE,
  resourceUrl: 'http://127.0.0.1:3000/mint',
};

export const tokenAccount = (owner: PublicKey, mint: PublicKey = USDC) =>
  getAssociatedTokenAddressSync(mint, owner, true);

/** A chain with a fee payer, a receiver with a USDC account, and a payer with 1 USDC. */
export async function startShop() {
  const chain = await startTestChain();
  const secret = makeEmbeddedKey();
  const feePayer = { secret, publicKey: publicKeyOf(secret) };
  await chain.post('/faucet', { wallet: feePayer.publicKey, sol: 1 });
  const payTo = await chain.wallet({ token: 'USDC', amount: '0.000001' });
  const payer = await chain.wallet({ sol: 1, token: 'USDC', amount: '1' });
  const rpc = createRpc({ urls: [chain.url], timeoutMs: 2_000 });
  const parts: FacilitatorParts = { rpc, network: 'local', feePayer };
  return {
    chain,
    parts,
    payer,
    payTo: payTo.publicKey,
    feePayer: new PublicKey(feePayer.publicKey),
    quote: { ...QUOTE, payTo: payTo.publicKey.toBase58() },
    close: () => chain.close(),
  };
}
export type Shop = Awaited<ReturnType<typeof startShop>>;

export type Wish = {
  feePayer?: PublicKey;
  payer?: Keypair;
  authority?: PublicKey;
  source?: PublicKey;
  destination?: PublicKey;
  mint?: PublicKey;
  amount?: bigint;
  memos?: string[];
  units?: number;
  microLamports?: number | bigint;
  blockhash?: string;
  /** Replaces or adds instructions, given what a plain client makes. */
  shape?: (plain: TransactionInstruction[]) => TransactionInstruction[];
  /** The older form of a message. */
  legacy?: boolean;
  tables?: AddressLookupTableAccount[];
  /** Changes the compiled message before it is signed. */
  change?: (message: MessageV0) => MessageV0;
  signers?: Keypair[];
};

/** A younger one is not known yet where payments are simulated. */
function confirmedBlockhash({ chain }: TestChain): string {
  return chain.latestBlockhash(chain.slot() - 3).blockhash;
}

/**
 * The instructions that `@x402/svm` clients make, with the changes of the wish. The payer has
 * signed.
 */
export function makePayment(shop: Shop, wish: Wish = {}): Uint8Array {
  const payer = wish.payer ?? shop.payer;
  const mint = wish.mint ?? USDC;
  const plain = [
    ComputeBudgetProgram.setComputeUnitLimit({ units: wish.units ?? 20_000 }),
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports: wish.microLamports ?? 1 }),
    createTransferCheckedInstruction(
      wish.source ?? tokenAccount(payer.publicKey, mint),
      mint,
      wish.destination ?? tokenAccount(shop.payTo, mint),
      wish.authority ?? payer.publicKey,
      wish.amount ?? PRICE,
      6,
    ),
    ...(wish.memos ?? [QUOTE.id]).map((text) => memo(text)),
  ];
  const message = new TransactionMessage({
    payerKey: wish.feePayer ?? shop.feePayer,
    recentBlockhash: wish.blockhash ?? confirmedBlockhash(shop.chain),
    instructions: wish.shape?.(plain) ?? plain,
  });
  const compiled = message.compileToV0Message(wish.tables);
  const transaction = new VersionedTransaction(
    wish.legacy === true ? message.compileToLegacyMessage() : (wish.change?.(compiled) ?? compiled),
  );
  transaction.sign(wish.signers ?? [payer]);
  return transaction.serialize();
}

export function memo(
  text: string,
  signers: PublicKey[] = [],
  program: string = MEMO_PROGRAMS.v3,
): TransactionInstruction {
  return new TransactionInstruction({
    programId: new PublicKey(program),
    keys: signers.map((pubkey) => ({ pubkey, isSigner: true, isWritable: false })),
    data: Buffer.from(text, 'utf8'),
  });
}

/** The unchecked transfer that the exact scheme does not know. */
export function uncheckedTransfer(shop: Shop): TransactionInstruction {
  const { payer, payTo } = shop;
  return createTransferInstruction(
    tokenAccount(payer.publicKey),
    tokenAccount(payTo),
    payer.publicKey,
    PRICE,
  );
}

/** Lets `delegate` spend the payer's USDC. */
export async function approve(shop: Shop, delegate: PublicKey): Promise<void> {
  const { payer, chain } = shop;
  const transaction = new Transaction({
    feePayer: payer.publicKey,
    ...chain.chain.latestBlockhash(),
  }).add(
    createApproveInstruction(tokenAccount(payer.publicKey), delegate, payer.publicKey, PRICE * 10n),
  );
  transaction.sign(payer);
  const { error } = await chain.send(transaction.serialize());
  if (error) throw new Error(JSON.stringify(error));
  await chain.slots(2);
}

const tokenBalance = z.object({ value: z.object({ amount: z.string() }) });

/** Confirmed base units of USDC. */
export async function usdcOf(chain: TestChain, owner: PublicKey): Promise<bigint> {
  const address = tokenAccount(owner).toBase58();
  const { result } = await chain.call('getTokenAccountBalance', [
    address,
    { commitment: 'confirmed' },
  ]);
  return BigInt(tokenBalance.parse(result).value.amount);
}

/** The decoded JSON of the payment header of either version. */
export function payload(
  version: 1 | 2,
  wire: Uint8Array,
  o: { network?: string; scheme?: string; accepted?: object } = {},
): unknown {
  const { scheme = 'exact' } = o;
  const transaction = Buffer.from(wire).toString('base64');
  if (version === 1)
    return { x402Version: 1, scheme, network: o.network ?? 'solana', payload: { transaction } };
  const network = o.network ?? 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';
  return { x402Version: 2, accepted: { scheme, network, ...o.accepted }, payload: { transaction } };
}
