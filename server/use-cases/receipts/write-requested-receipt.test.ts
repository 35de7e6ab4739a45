import { randomBytes } from 'node:crypto';
import bs58 from 'bs58';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Transfer } from '@quittance/verify/chain/transfer';
import { makeEmbeddedKey, publicKeyOf } from '@/server/keys';
import { addMint, START } from '@/server/nft/minting.fixture';
import { drawHere } from '@quittance/verify/images/draw-sheet';
import { makeFacts } from '@/server/receipts/facts.fixture';
import { valueTransfer } from '@/server/receipts/value-transfer';
import { randomIds } from '@/server/ids';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import type { Call } from '../call';
import { provesPayer } from '../prove-wallet';
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

/** The call of a request for the receipt, under an id of its own. */
function makeCall(id: string): Call {
  const { prisma } = database;
  const urls = { storageGatewayUrl: 'http://127.0.0.1:1', publicUrl: 'http://127.0.0.1:2' };
  const env = {
    network: 'local',
    serviceName: 'quittance',
    minter: key,
    storage: key,
    limits: null,
  };
  const jobs = { startMint: async () => undefined };
  const service = {
    jobs,
    draw: drawHere,
    db: prisma,
    ids: randomIds,
    clock: { now: () => START },
    env: { ...env, ...urls },
  };
  const actor = { kind: 'anyone', client: '203.0.113.7', id };
  return { service, actor } as unknown as Call;
}

test('a request that is overtaken gives the receipt of the other, and leaves nothing reserved', async () => {
  const { prisma } = database;
  const call = makeCall('late');
  const id = await writeOther();
  const written = await writeFreeReceipt(call, {
    input: { tx_signature: facts.txSignature, service_type: facts.serviceType },
    valued: await valueTransfer(call.service, transfer),
    reportedBy: 'payer',
    isPayerCalling: false,
    location: null,
  });
  expect(written).toMatchObject({ exists: { receipt: { id } } });
  expect(await prisma.receipt.count()).toBe(1);
  expect(await prisma.reservation.count()).toBe(0);
});

test.each([true, false])(
  'whether the payer proved to ask is noted with the mint: %s',
  async (is) => {
    const { prisma } = database;
    const call = makeCall(`asks ${is}`);
    const own = { ...transfer, signature: bs58.encode(randomBytes(64)) };
    const written = await writeFreeReceipt(call, {
      input: { tx_signature: own.signature, service_type: facts.serviceType },
      valued: await valueTransfer(call.service, own),
      reportedBy: 'payer',
      isPayerCalling: is,
      location: null,
    });
    if (!('body' in written)) throw new Error('it was there');
    const { receipt_id: id } = written.body;
    expect(await prisma.mint.findUnique({ where: { id } })).toMatchObject({ askedByPayer: is });
  },
);

test.each([
  ['wallet headers of the payer', { role: 'payer', taken: null }, true],
  ['wallet headers of the seller', { role: 'seller', taken: null }, false],
  ['nothing', { role: null, taken: null }, false],
  ['a payload signed by the payer', { role: null, taken: signed('payer') }, true],
  ['a payload signed by the seller', { role: null, taken: signed('seller') }, false],
  ['a payment of the payer that stands on chain', { role: null, taken: sent('payer') }, false],
  ['headers of the seller, payload of the payer', { role: 'seller', taken: signed('payer') }, true],
] as const)('%s proves the payer: %o %s', (_what, shown, proven) => {
  expect(provesPayer({ ...shown, payer: 'payer' })).toBe(proven);
});

function signed(payer: string) {
  return { isSignedByPayer: true, payer };
}

function sent(payer: string) {
  return { isSignedByPayer: false, payer };
}
