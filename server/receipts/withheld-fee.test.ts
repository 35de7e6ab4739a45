import {
  createAssociatedTokenAccountIdempotentInstruction,
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
} from '@solana/spl-token';
import { Keypair, PublicKey, Transaction } from '@solana/web3.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestChain, type TestChain } from '@/devnet/chain/testing/test-chain';
import { TOKENS } from '@/devnet/client/pay-token';
import { presentReceipt } from '@/server/use-cases/receipts/present-receipt';
import { readTransfer } from '@quittance/verify/chain/read-transfer';
import { createRpc } from '@/server/chain/rpc';
import type { ServiceContext } from '@/server/context';
import { randomIds } from '@/server/ids';
import { makeEmbeddedKey, publicKeyOf } from '@/server/keys';
import { trusted } from '@/server/trusted';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { drawHere } from '@quittance/verify/images/draw-sheet';
import { findReceipt } from './find-receipt';
import { prepareReceipt, writeReceipt } from './write-receipt';
import { reserveTransaction } from './reserve-transaction';
import { valueTransfer } from './value-transfer';

const [payer, seller, market] = [Keypair.generate(), Keypair.generate(), Keypair.generate()];

let chain: TestChain;
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  chain = await startTestChain({ stopped: true, finalityLag: 4 });
  const wallet = payer.publicKey.toBase58();
  await chain.post('/faucet', { wallet, sol: 1 });
  for (const token of ['PYUSD', 'USDC'])
    await chain.post('/faucet', { wallet, token, amount: '10' });
  await chain.post('/_faults', { transferFee: { mint: TOKENS.PYUSD.mint, basisPoints: 400 } });
  await chain.slots(2);
});
afterAll(async () => {
  await chain.close();
  await database.close();
});

function give(token: 'PYUSD' | 'USDC', to: PublicKey, amount: bigint) {
  const { mint, program } = TOKENS[token];
  const [key, me] = [new PublicKey(mint), payer.publicKey];
  const account = (owner: PublicKey) => getAssociatedTokenAddressSync(key, owner, true, program);
  return [
    createAssociatedTokenAccountIdempotentInstruction(me, account(to), to, key, program),
    createTransferCheckedInstruction(account(me), key, account(to), me, amount, 6, [], program),
  ];
}

it('a fee that the token withheld is in the row and the answer, and 80 % is measured on what was sent', async () => {
  // The seller was sent 80 % of one dollar. After the fee it has 79.3 % of the amounts that
  // arrived.
  const transaction = new Transaction({
    feePayer: payer.publicKey,
    ...chain.chain.latestBlockhash(),
  }).add(...give('PYUSD', seller.publicKey, 800_000n), ...give('USDC', market.publicKey, 200_000n));
  transaction.sign(payer);
  const signature = String((await chain.send(transaction.serialize())).result);
  await chain.slots(10);
  const rpc = createRpc({ urls: [chain.url], timeoutMs: 20_000 });
  const reading = await readTransfer({ rpc, network: 'local', signature });
  if (!reading.ok) throw new Error(`${reading.code}: ${reading.detail}`);
  expect(reading.transfer).toMatchObject({
    amount: 768_000n,
    amountSent: 800_000n,
    feeWithheld: 32_000n,
    seller: seller.publicKey.toBase58(),
  });

  const secret = makeEmbeddedKey();
  const key = { secret, publicKey: publicKeyOf(secret) };
  const service = trusted<ServiceContext>(
    {
      db: database.prisma,
      rpc,
      ids: randomIds,
      draw: drawHere,
      clock: { now: () => new Date(chain.chain.now() * 1000) },
      env: {
        network: 'local',
        serviceName: 'quittance',
        minter: key,
        storage: key,
        storageGatewayUrl: 'http://127.0.0.1:1',
        publicUrl: 'http://127.0.0.1:2',
      },
    },
    'what writing a receipt of a token at par reads',
  );
  const prepared = await prepareReceipt(service, {
    valued: await valueTransfer(service, reading.transfer),
    labels: { serviceType: 'test', transactionType: null, invoiceId: null },
    reportedBy: 'payer',
  });
  const isWritten = await database.prisma.$transaction(async (tx) => {
    const reserved = await reserveTransaction(tx, {
      txSignature: signature,
      holder: 'test',
      leaseMs: 10_000,
      now: service.clock.now(),
    });
    if (!reserved) throw new Error('nobody else reserves it');
    return writeReceipt(tx, service, { prepared, reserved, paymentSignature: null });
  });
  expect(isWritten).toBe(true);
  const found = await findReceipt(database.prisma, prepared.facts.receiptId);
  expect(found.receipt).toMatchObject({
    amountRaw: 768_000n,
    amountSentRaw: 800_000n,
    feeWithheldRaw: 32_000n,
  });
  expect(presentReceipt(found, service.env)).toMatchObject({
    amount_raw: '768000',
    fee_withheld: 0.032,
    fee_withheld_raw: '32000',
    other_legs: [{ owner: market.publicKey.toBase58(), amount_raw: '200000' }],
  });
});
