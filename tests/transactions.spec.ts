import { randomBytes } from 'node:crypto';
import {
  createAssociatedTokenAccountIdempotentInstruction,
  createInitializeMint2Instruction,
  createMintToCheckedInstruction,
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
  MINT_SIZE,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token';
import {
  Connection,
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  type TransactionInstruction,
} from '@solana/web3.js';
import bs58 from 'bs58';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fundWallet } from '@/devnet/client/fund-wallet';
import { sendAndConfirm, signNow, TOKENS } from '@/devnet/client/pay-token';
import { makeWallet, type Wallet } from '@/devnet/client/wallet';
import { readTransfer } from '@quittance/verify/chain/read-transfer';
import { createRpc } from '@/server/chain/rpc';
import { sharedService } from './harness/shared-service';
import type { TestService } from './harness/start-service';
import { awaitStatus, call, makePair, mint, pay } from './harness/use-service';

let service: TestService;
let payer: Wallet;
let seller: Wallet;

beforeAll(async () => {
  service = await sharedService();
  ({ payer, seller } = await makePair(service));
});

const USDC = new PublicKey(TOKENS.USDC.mint);
const usdcOf = (wallet: Wallet) =>
  getAssociatedTokenAddressSync(USDC, wallet.keypair.publicKey, true);
const openUsdc = (wallet: Wallet) =>
  createAssociatedTokenAccountIdempotentInstruction(
    payer.keypair.publicKey,
    usdcOf(wallet),
    wallet.keypair.publicKey,
    USDC,
  );
const moveUsdc = (from: Wallet, to: Wallet, amount: bigint) =>
  createTransferCheckedInstruction(
    usdcOf(from),
    USDC,
    usdcOf(to),
    from.keypair.publicKey,
    amount,
    6,
  );
const send = (instructions: TransactionInstruction[], signers: Wallet[]) =>
  sendAndConfirm(
    service.rpcUrl,
    new Transaction().add(...instructions),
    signers.map(({ keypair }) => keypair),
  );

/** REST and pages refuse a transaction with the same error code, and no row is written. */
async function expectRefusal(signature: string, code: string): Promise<void> {
  const verify = await call(service, `/verify/${signature}`);
  const minted = await mint(service, { signature, wallet: payer });
  expect([verify.status, verify.body['code']], JSON.stringify(verify.body)).toEqual([400, code]);
  expect([minted.status, minted.body['code']]).toEqual([400, code]);
  expect(String(minted.body['error'])).toMatch(/^Transaction verification failed: /);
  expect(await service.prisma.receipt.count({ where: { txSignature: signature } })).toBe(0);
}

describe('a transaction that is not a payment', () => {
  it('is not found when no node knows it', async () => {
    await expectRefusal(bs58.encode(randomBytes(64)), 'transaction_not_found');
  });

  it('failed on chain', async () => {
    await send([openUsdc(seller)], [payer]);
    const connection = new Connection(service.rpcUrl, 'confirmed');
    const transaction = new Transaction().add(moveUsdc(payer, seller, 10n ** 15n));
    await signNow(connection, transaction, [payer.keypair]);
    const signature = await connection.sendRawTransaction(transaction.serialize(), {
      skipPreflight: true,
    });
    await expect
      .poll(async () => (await call(service, `/verify/${signature}`)).body['code'])
      .toBe('transaction_failed');
    await expectRefusal(signature, 'transaction_failed');
  });

  it('is a swap of tokens against SOL', async () => {
    await fundWallet(service.rpcUrl, { wallet: seller.address, sol: 1 });
    const signature = await send(
      [
        openUsdc(seller),
        moveUsdc(payer, seller, 500_000n),
        SystemProgram.transfer({
          fromPubkey: seller.keypair.publicKey,
          toPubkey: payer.keypair.publicKey,
          lamports: 50_000_000,
        }),
      ],
      [payer, seller],
    );
    await expectRefusal(signature, 'not_a_payment');
  });

  it('pays two sellers in equal parts', async () => {
    const other = makeWallet();
    const signature = await send(
      [
        openUsdc(seller),
        openUsdc(other),
        moveUsdc(payer, seller, 100_000n),
        moveUsdc(payer, other, 100_000n),
      ],
      [payer],
    );
    await expectRefusal(signature, 'several_sellers');
  });
});

it('is not reported missing when one node lags and another knows it', async () => {
  const answer = await fetch(`${service.rpcUrl}/_nodes`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    // Far enough behind that a new payment is unknown there for fourteen seconds.
    body: JSON.stringify({ lagSlots: 140 }),
  });
  const lagging = z.object({ url: z.url() }).parse(await answer.json()).url;
  const signature = await pay(service, { from: payer, to: seller, amount: 250_000n });
  const alone = createRpc({ urls: [lagging], timeoutMs: 10_000 });
  expect(await readTransfer({ rpc: alone, network: 'local', signature })).toMatchObject({
    ok: false,
    code: 'transaction_not_found',
  });
  const both = createRpc({ urls: [lagging, service.rpcUrl], timeoutMs: 10_000 });
  expect(await readTransfer({ rpc: both, network: 'local', signature })).toMatchObject({
    ok: true,
    transfer: { payer: payer.address, amount: 250_000n },
  });
});

describe('a token that cannot be valued', () => {
  it('is verified with its mint as its name, and refused for a receipt', async () => {
    const mintKey = Keypair.generate();
    const account = (wallet: Wallet) =>
      getAssociatedTokenAddressSync(mintKey.publicKey, wallet.keypair.publicKey);
    const open = (wallet: Wallet) =>
      createAssociatedTokenAccountIdempotentInstruction(
        payer.keypair.publicKey,
        account(wallet),
        wallet.keypair.publicKey,
        mintKey.publicKey,
      );
    await sendAndConfirm(
      service.rpcUrl,
      new Transaction().add(
        SystemProgram.createAccount({
          fromPubkey: payer.keypair.publicKey,
          newAccountPubkey: mintKey.publicKey,
          lamports: 2_000_000,
          space: MINT_SIZE,
          programId: TOKEN_PROGRAM_ID,
        }),
        createInitializeMint2Instruction(mintKey.publicKey, 3, payer.keypair.publicKey, null),
        open(payer),
        open(seller),
        createMintToCheckedInstruction(
          mintKey.publicKey,
          account(payer),
          payer.keypair.publicKey,
          9_000,
          3,
        ),
      ),
      [payer.keypair, mintKey],
    );
    const signature = await send(
      [
        createTransferCheckedInstruction(
          account(payer),
          mintKey.publicKey,
          account(seller),
          payer.keypair.publicKey,
          1_500,
          3,
        ),
      ],
      [payer],
    );
    const verify = await call(service, `/verify/${signature}`);
    expect([verify.status, verify.body['transaction']]).toEqual([
      200,
      expect.objectContaining({
        amount: 1.5,
        amount_raw: '1500',
        token: mintKey.publicKey.toBase58(),
        dtif_code: null,
        sender: payer.address,
        receiver: seller.address,
      }),
    ]);
    const minted = await mint(service, { signature, wallet: payer });
    expect([minted.status, minted.body['code']]).toEqual([400, 'unsupported_token']);
    expect(minted.body['error']).toContain(mintKey.publicKey.toBase58());
  });
});

describe('the tokens at par', () => {
  it.each([
    ['USDT', '6QBMW6DQZ'],
    ['PYUSD', '6202TBRW7'],
  ] as const)('%s is receipted with its code', async (token, dti) => {
    const pair = await makePair(service, token);
    const signature = await pay(service, {
      from: pair.payer,
      to: pair.seller,
      amount: 420_000n,
      token,
    });
    const verify = await call(service, `/verify/${signature}`);
    expect(verify.body['transaction']).toMatchObject({ token, amount: 0.42, dtif_code: dti });
    const { body } = await mint(service, { signature, wallet: pair.payer });
    expect(body).toMatchObject({ asset_name: token, dtif_code: dti });
    await awaitStatus(service, String(body['receipt_id']));
  });

  it('says settled only once the transaction is final', async () => {
    await service.fault('chain', { hideTransactions: 0 });
    const signature = await pay(service, { from: payer, to: seller, amount: 11_000n });
    const statusOf = async () =>
      ((await call(service, `/verify/${signature}`)).body['transaction'] as { status: string })
        .status;
    const seen = new Set<string>([await statusOf()]);
    await expect.poll(async () => seen.add(await statusOf()).has('settled')).toBe(true);
    expect([...seen].at(-1)).toBe('settled');
  });
});
