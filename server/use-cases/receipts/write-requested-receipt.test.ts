import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Transfer } from '@quittance/verify/chain/transfer';
import { makeEmbeddedKey, publicKeyOf } from '@/server/keys';
import { addMint, START } from '@/server/nft/minting.fixture';
import { drawHere } from '@/server/receipts/draw-sheet';
import { makeFacts } from '@/server/receipts/facts.fixture';
import { valueTransfer } from '@/server/receipts/value-transfer';
import { randomIds } from '@/server/ids';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import type { Call } from '../call';
import { writeFreeReceipt } from './write-requested-receipt';

const facts = makeFacts();
const secret = makeEmbeddedKey();
const key = { secret, publicKey: publicKeyOf(secret) };

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  const owner = { network: 'local', creator: key.publicKey, minter: key.publicKey };
  const size = { maxDepth: 3, maxBufferSize: 8, canopyDepth: 0, capacity: 8n };
  await database.prisma.tree.create({
    data: { address: 'tree', ...owner, ...size, createdAt: START },
  });
});
afterAll(() => database.close());

const transfer: Transfer = {
  signature: facts.txSignature,
  slot: facts.slot,
  blockTime: facts.blockTime,
  payer: facts.payer,
  seller: facts.seller,
  feePayer: facts.payer,
  finality: 'finalized',
  mint: facts.mint,
  tokenProgram: facts.tokenProgram,
  decimals: facts.decimals,
  amount: facts.amount,
  amountSent: facts.amountSent,
  feeWithheld: 0n,
  otherLegs: [],
  memos: [],
  references: [],
  payerKind: 'wallet',
  sellerKind: 'wallet',
  goods: [],
  change: [],
  paidWith: [],
  leftOut: [],
  prices: [],
};

/** The receipt that another request wrote after this one had looked for it. */
async function writeOther(): Promise<string> {
  const { prisma } = database;
  const { id, metadataItemId, imageItemId } = await addMint(prisma);
  await prisma.receipt.create({
    data: {
      id,
      metadataItemId,
      imageItemId,
      createdAt: START,
      txSignature: facts.txSignature,
      payer: facts.payer,
      seller: facts.seller,
      token: facts.token,
      decimals: facts.decimals,
      amountRaw: facts.amount,
      amountSentRaw: facts.amount,
      feeWithheldRaw: 0n,
      otherLegs: [],
      slot: facts.slot,
      usdMicros: facts.usdMicros,
      valuation: facts.valuation,
      blockTime: facts.blockTime,
      serviceType: facts.serviceType,
      reportedBy: facts.reportedBy,
    },
  });
  return id;
}

test('a request that is overtaken gives the receipt of the other, and leaves nothing reserved', async () => {
  const { prisma } = database;
  const urls = { storageGatewayUrl: 'http://127.0.0.1:1', publicUrl: 'http://127.0.0.1:2' };
  const env = {
    network: 'local',
    serviceName: 'quittance',
    minter: key,
    storage: key,
    limits: null,
  };
  const service = {
    draw: drawHere,
    db: prisma,
    ids: randomIds,
    clock: { now: () => START },
    env: { ...env, ...urls },
  };
  const actor = { kind: 'anyone', client: '203.0.113.7', id: 'late' };
  const call = { service, actor } as unknown as Call;
  const id = await writeOther();
  const written = await writeFreeReceipt(call, {
    input: { tx_signature: facts.txSignature, service_type: facts.serviceType },
    valued: await valueTransfer(call.service, transfer),
    reportedBy: 'payer',
    location: null,
  });
  expect(written).toMatchObject({ exists: { receipt: { id } } });
  expect(await prisma.receipt.count()).toBe(1);
  expect(await prisma.reservation.count()).toBe(0);
});
