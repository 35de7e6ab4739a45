import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createAssociatedTokenAccountIdempotentInstruction,
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
} from '@solana/spl-token';
import {
  AddressLookupTableProgram,
  Connection,
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  type TransactionInstruction,
} from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fundWallet } from '@/devnet/client/fund-wallet';
import { sendAndConfirm, TOKENS } from '@/devnet/client/pay-token';
import { makeWallet, type Wallet } from '@/devnet/client/wallet';
import { normaliseTransaction } from '@quittance/verify/chain/normalise-transaction';
import { rawTransactionSchema } from '@quittance/verify/chain/raw-transaction';
import { pageRows } from '@/server/dashboard/page-rows';
import { tokenByMint } from '@quittance/verify/tokens/token-table';
import { startService, type TestService } from './harness/start-service';
import { runCron } from './harness/use-dashboard';
import { askStatement } from './harness/use-statements';
import { call, mint } from './harness/use-service';

const CORPUS = join(process.cwd(), 'tests', 'corpus');

const cases = z
  .array(
    z.looseObject({
      name: z.string(),
      signature: z.string(),
      answer: z.enum(['transfer', 'dominant', 'refuse']),
      expected: z.looseObject({
        mint: z.string().nullable(),
        payer_owner: z.string().nullable(),
        seller_owner: z.string().nullable(),
        raw_received: z.string().nullable(),
        other_legs: z.number().optional(),
      }),
    }),
  )
  .parse(JSON.parse(readFileSync(join(CORPUS, 'expected.json'), 'utf8')));
const distinct = cases.filter(
  (one, place) => cases.findIndex(({ signature }) => signature === one.signature) === place,
);
const isValued = (mintAddress: string | null) =>
  (tokenByMint(mintAddress, 'local')?.valuation ?? null) !== null;
const payments = distinct.filter(({ answer }) => answer !== 'refuse');
const valued = payments.filter(({ expected }) => isValued(expected.mint));

let service: TestService;
beforeAll(async () => {
  service = await startService({
    env: {
      DEVNET_TX_DIR: join(CORPUS, 'tx'),
      AUTO_RECEIPTS_FREE: '1',
      AUTO_RECEIPTS_FREE_DAILY: '1000',
    },
  });
  await receiptAll();
}, 480_000);
afterAll(() => service.close());

/** Registers the sellers, so that all payments get their automatic receipts. */
async function receiptAll(): Promise<void> {
  const at = new Date();
  const sellers = new Set(valued.map(({ expected }) => expected.seller_owner ?? ''));
  await service.prisma.registration.createMany({
    data: [...sellers].map((walletAddress) => ({
      walletAddress,
      businessName: 'Corpus',
      country: 'US',
      serviceType: 'Recorded',
      fromSlot: 0n,
      registeredAt: at,
      updatedAt: at,
    })),
  });
  await service.prisma.autoTransfer.createMany({
    data: valued.map(({ signature }) => ({
      txSignature: signature,
      state: 'noted',
      lookAt: at,
      createdAt: at,
      updatedAt: at,
    })),
    skipDuplicates: true,
  });
  await runCron(service, 'find-transfers');
}

/** Whether both parties used their associated account of USDC. */
function isBetweenAssociated({ name, expected }: (typeof cases)[number]): boolean {
  const raw: unknown = JSON.parse(readFileSync(join(CORPUS, 'tx', `${name}.json`), 'utf8'));
  const tx = normaliseTransaction(rawTransactionSchema.parse(raw));
  if (typeof tx === 'string') throw new Error(tx);
  return [expected.payer_owner, expected.seller_owner].every((owner) =>
    tx.keys.includes(
      getAssociatedTokenAddressSync(
        new PublicKey(TOKENS.USDC.mint),
        new PublicKey(owner ?? ''),
        true,
      ).toBase58(),
    ),
  );
}

const transactionOf = (body: Record<string, unknown>) =>
  z
    .looseObject({
      amount: z.number(),
      amount_raw: z.string(),
      sender: z.string(),
      receiver: z.string(),
      mint: z.string().nullable(),
      block_time: z.string(),
      usd_amount_raw: z.string().nullable(),
      other_legs: z.array(z.unknown()),
    })
    .parse(body['transaction']);

describe('every route agrees on a recorded transaction', () => {
  it.each(distinct.filter(({ answer }) => answer === 'refuse'))(
    '$name: no receipt, by /verify, /mint and /calculate',
    async ({ signature }) => {
      const verify = await call(service, `/verify/${signature}`);
      const minted = await mint(service, { signature });
      const value = await call(service, `/calculate/${signature}?country=US`);
      expect(verify.status, JSON.stringify(verify.body)).toBe(400);
      const seen = [verify, minted, value].map(({ status, body }) => [status, body['code']]);
      expect(seen).toEqual([seen[0], seen[0], seen[0]]);
      const stated = await askStatement(service, {
        wallet_address: makeWallet().address,
        transactions: [signature],
        output_formats: ['json'],
      });
      expect(stated.status).toBe(400);
    },
  );

  it.each(payments)('$name: the payment, by /verify, /mint and /calculate', async (one) => {
    const { signature, expected } = one;
    const verify = await call(service, `/verify/${signature}`);
    expect(verify.status, JSON.stringify(verify.body)).toBe(200);
    const transaction = transactionOf(verify.body);
    expect(transaction).toMatchObject({
      sender: expected.payer_owner,
      receiver: expected.seller_owner,
      amount_raw: expected.raw_received,
      mint: expected.mint,
    });
    expect(transaction.other_legs).toHaveLength(expected.other_legs ?? -1);
    const minted = await mint(service, { signature });
    const value = await call(service, `/calculate/${signature}?country=US`);
    if (!isValued(expected.mint)) {
      expect([minted.body['code'], value.body['code']]).toEqual([
        'unsupported_token',
        'unsupported_token',
      ]);
      return;
    }
    expect(value.body, JSON.stringify(value.body)).toMatchObject({
      amount_raw: expected.raw_received,
      usd_amount_raw: transaction.usd_amount_raw,
    });
    // It already has its receipt.
    expect([200, 409], JSON.stringify(minted.body)).toContain(minted.status);
  });

  it.each(valued)('$name: the payment, by receipt, export, dashboard and listing', async (one) => {
    const { signature, expected } = one;
    const [payer, seller] = [expected.payer_owner ?? '', expected.seller_owner ?? ''];
    const { body } = await call(service, `/verify/${signature}`);
    const transaction = transactionOf(body);
    const stored = await service.prisma.receipt.findFirstOrThrow({
      where: { txSignature: signature },
    });
    const receipt = await call(service, `/receipt/${stored.id}`);
    expect(receipt.body).toMatchObject({
      payer,
      seller,
      mint: expected.mint,
      amount_raw: expected.raw_received,
      usd_amount_raw: transaction.usd_amount_raw,
      other_legs: transaction.other_legs,
    });
    for (const wallet of [payer, seller]) {
      const file = await call(service, `/wallet/${wallet}/export?format=json&country=US`);
      const rows = z
        .array(z.looseObject({ tx_signature: z.string() }))
        .parse(file.body['receipts']);
      expect(rows.filter(({ tx_signature }) => tx_signature === signature)).toContainEqual(
        expect.objectContaining({ amount_raw: expected.raw_received, mint: expected.mint }),
      );
      const page = await pageRows(service.prisma, {
        wallet,
        role: wallet === payer ? 'payer' : 'seller',
        from: new Date(0),
        until: new Date(Date.now() + 86_400_000),
        cursor: null,
        limit: 100,
        order: 'newest',
      });
      expect(page.filter(({ txSignature }) => txSignature === signature)).toContainEqual(
        expect.objectContaining({ amountRaw: BigInt(expected.raw_received ?? '') }),
      );
    }
    // This chain has only the recorded transactions. Accounts that an owner opened elsewhere are
    // missing, so only associated accounts can be searched.
    if (expected.mint !== TOKENS.USDC.mint || !isBetweenAssociated(one)) return;
    const day = transaction.block_time.slice(0, 10);
    const listed = await call(
      service,
      `/wallet/${payer}/receipts?counterparty=${seller}&period_start=${day}&period_end=${day}`,
    );
    expect(JSON.stringify(listed.body['sent'])).toContain(signature);
    expect(listed.body['sent']).toMatchObject({
      transfers: expect.arrayContaining([
        expect.objectContaining({ tx_signature: signature, amount_raw: expected.raw_received }),
      ]),
    });
  });

  it.each(valued)('$name: the payment and every other leg, by a statement', async (one) => {
    const { signature, expected } = one;
    const asked = await askStatement(service, {
      wallet_address: expected.payer_owner,
      transactions: [signature],
      output_formats: ['json'],
    });
    expect(asked.status, JSON.stringify(asked.body)).toBe(402);
    expect(asked.body).toMatchObject({ tx_count: 1, row_count: 1 + (expected.other_legs ?? 0) });
  });
});

describe('a payment with legs in other tokens', () => {
  let payer: Wallet;
  let shop: Wallet;
  let other: Wallet;
  let signature: string;
  const send = (from: Wallet, instructions: TransactionInstruction[], more: Keypair[] = []) =>
    sendAndConfirm(service.rpcUrl, new Transaction().add(...instructions), [from.keypair, ...more]);

  beforeAll(async () => {
    [payer, shop, other] = [makeWallet(), makeWallet(), makeWallet()];
    await fundWallet(service.rpcUrl, {
      wallet: payer.address,
      sol: 20,
      token: 'USDC',
      amount: '9',
    });
    const [usdc, me] = [new PublicKey(TOKENS.USDC.mint), payer.keypair.publicKey];
    const account = (of: Wallet) => getAssociatedTokenAddressSync(usdc, of.keypair.publicKey);
    signature = await send(payer, [
      SystemProgram.transfer({
        fromPubkey: me,
        toPubkey: shop.keypair.publicKey,
        lamports: 10_000_000_000,
      }),
      createAssociatedTokenAccountIdempotentInstruction(
        me,
        account(other),
        other.keypair.publicKey,
        usdc,
      ),
      createTransferCheckedInstruction(account(payer), usdc, account(other), me, 500_000n, 6),
    ]);
  });

  it('is worth 10 SOL, and shows the 0.5 USDC as a second leg with the prices that decide it', async () => {
    const { body } = await call(service, `/verify/${signature}`);
    expect(body['transaction'], JSON.stringify(body)).toMatchObject({
      sender: payer.address,
      receiver: shop.address,
      token: 'SOL',
      amount: 10,
      other_legs: [{ owner: other.address, token: 'USDC', amount: 0.5, amount_raw: '500000' }],
      payer_kind: 'wallet',
      left_out: expect.arrayContaining([
        expect.objectContaining({ reason: 'network_fee', amount_raw: '5000' }),
        expect.objectContaining({ reason: 'rent_opened', amount_raw: '2039280' }),
      ]),
      prices: expect.arrayContaining([expect.objectContaining({ token: 'SOL', basis: 'market' })]),
    });
    const frozen = await service.prisma.transactionPrice.findMany({ where: { signature } });
    expect(frozen).toMatchObject([{ mint: '', basis: 'market' }]);
  });

  it('keeps the prices of its first reading', async () => {
    await service.prisma.transactionPrice.updateMany({
      where: { signature },
      data: { usdPerUnit: '0.0001' },
    });
    await service.prisma.readTransfer.deleteMany({ where: { signature } });
    const { body } = await call(service, `/verify/${signature}`);
    expect(body['transaction']).toMatchObject({ token: 'USDC', receiver: other.address });
    await service.prisma.transactionPrice.deleteMany({ where: { signature } });
  });

  it('costs a fee, and the 403 names the amount that the owner of the smaller leg received', async () => {
    const minted = await mint(service, { signature, wallet: payer });
    expect(minted.status, JSON.stringify(minted.body)).toBe(402);
    expect(minted.body).toMatchObject({ transaction_amount: 10 });
    const refused = await mint(service, { signature, wallet: other });
    expect(refused.status).toBe(403);
    expect(String(refused.body['error'])).toContain('it received 0.5 ');
    expect(String(refused.body['error'])).toContain('POST /statement');
  });

  it('is not a payment when SOL only makes a lookup table larger', async () => {
    const connection = new Connection(service.rpcUrl, 'confirmed');
    const me = payer.keypair.publicKey;
    const [created, table] = AddressLookupTableProgram.createLookupTable({
      authority: me,
      payer: me,
      recentSlot: await connection.getSlot('finalized'),
    });
    await send(payer, [created]);
    const extended = await send(payer, [
      AddressLookupTableProgram.extendLookupTable({
        payer: me,
        authority: me,
        lookupTable: table,
        addresses: [Keypair.generate().publicKey, Keypair.generate().publicKey],
      }),
    ]);
    const { status, body } = await call(service, `/verify/${extended}`);
    expect([status, body['code']]).toEqual([400, 'not_a_payment']);
    expect(body['details']).toMatchObject({
      legs: [],
      left_out: expect.arrayContaining([
        expect.objectContaining({ reason: 'rent_grown', amount_raw: '445440' }),
      ]),
    });
  });

  it('names a program account, which cannot sign, and the wallets that may ask', async () => {
    const [vault] = PublicKey.findProgramAddressSync(
      [Buffer.from('vault')],
      SystemProgram.programId,
    );
    const paid = await send(payer, [
      SystemProgram.transfer({
        fromPubkey: payer.keypair.publicKey,
        toPubkey: vault,
        lamports: 50_000_000,
      }),
    ]);
    const { body } = await call(service, `/verify/${paid}`);
    expect(body['transaction']).toMatchObject({ seller_kind: 'program', payer_kind: 'wallet' });
    const refused = await mint(service, { signature: paid, wallet: other });
    expect(refused.status).toBe(403);
    expect(String(refused.body['error'])).toContain(
      `is a program account, which cannot sign; the payer ${payer.address} may ask`,
    );
  });
});
