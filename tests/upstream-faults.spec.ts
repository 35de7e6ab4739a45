import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeWallet } from '@/devnet/client/wallet';
import { countNfts } from './harness/count-nfts';
import { letVanish } from './harness/let-vanish';
import { sharedService } from './harness/shared-service';
import type { TestService } from './harness/start-service';
import { awaitStatus, call, freshReceipt, makePair, mint, pay } from './harness/use-service';

let service: TestService;

beforeAll(async () => {
  service = await sharedService();
});
afterEach(async () => {
  await service.fault('chain', null);
  await service.fault('storage', null);
});

async function expectOneNft(receipt: { id: string; owner: string }): Promise<void> {
  await awaitStatus(service, receipt.id);
  expect(await countNfts(service.rpcUrl, receipt.owner)).toBe(1);
}

const rowOf = (id: string) => service.prisma.mint.findUniqueOrThrow({ where: { id } });

describe('the chain node', () => {
  it.each([
    ['down', { failMethods: { '*': { status: 503 } } }],
    ['rate limiting', { failMethods: { '*': { status: 429 } } }],
    ['answering garbage', { garbage: { method: '*' } }],
    ['answering the wrong shape', { garbage: { method: '*', kind: 'shape' } }],
    ['too slow', { delayMs: { '*': 20_000 } }],
  ])(
    '%s is a 503 with Retry-After, never "not found", and the repeat succeeds',
    async (_, fault) => {
      const { payer, seller } = await makePair(service);
      const signature = await pay(service, { from: payer, to: seller, amount: 250_000n });
      await service.fault('chain', fault);
      const [down, unread] = await Promise.all([
        mint(service, { signature, wallet: payer }),
        call(service, `/verify/${signature}`),
      ]);
      expect([down.status, down.body['code']]).toEqual([503, 'chain_unavailable']);
      expect(Number(down.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(unread.status).toBe(503);
      await service.fault('chain', null);
      await expect
        .poll(async () => (await mint(service, { signature, wallet: payer })).status, {
          timeout: 90_000,
          interval: 500,
        })
        .toBe(200);
    },
  );

  it('down during a mint delays the receipt and does not fail it', async () => {
    const receipt = await freshReceipt(service);
    await service.fault('chain', { failMethods: { '*': { status: 503 } } });
    await expect.poll(async () => (await rowOf(receipt.id)).lastError).toMatch(/node/i);
    await service.fault('chain', null);
    await expectOneNft(receipt);
    expect(await rowOf(receipt.id)).toMatchObject({ attempts: 0, status: 'completed' });
  });

  it('that loses the mint transaction costs time, not a second NFT', async () => {
    const receipt = await freshReceipt(service);
    await service.fault('chain', { dropNextSends: 2 });
    await expectOneNft(receipt);
    expect(await service.prisma.mintAttempt.count({ where: { mintId: receipt.id } })).toBe(1);
  });
});

describe('a transfer that vanishes before it is final', () => {
  it('ends as failed with transaction_dropped, unminted, and its transaction free again', async () => {
    const { payer, seller } = await makePair(service);
    await service.fault('chain', { holdFinality: true });
    const signature = await pay(service, { from: payer, to: seller, amount: 250_000n });
    const { status, body } = await mint(service, { signature, wallet: payer });
    expect(status, JSON.stringify(body)).toBe(200);
    const id = String(body['receipt_id']);
    await letVanish(service, signature);
    const ended = await awaitStatus(service, id, { wanted: ['failed'] });
    expect(ended).toMatchObject({ last_error: 'transaction_dropped', attempts: 0 });
    expect(await countNfts(service.rpcUrl, payer.address)).toBe(0);
    const again = await mint(service, { signature, wallet: payer });
    expect([again.status, again.body['code']]).toEqual([400, 'transaction_not_found']);
  });
});

describe('the storage node', () => {
  it.each([
    ['dropping the connection before storing', { dropBeforeStore: 2 }],
    ['storing and dropping the answer', { dropAfterStore: 2 }],
    ['failing with 500', { status: { code: 500, body: 'sorry', times: 2 } }],
    ['not readable at once', { hideGateway: 3 }],
  ])('%s uses up no attempt, and the receipt completes', async (_, fault) => {
    await service.fault('storage', fault);
    const receipt = await freshReceipt(service);
    await expectOneNft(receipt);
    expect((await rowOf(receipt.id)).attempts).toBe(0);
  });

  it('that refuses once for lack of money uses up one attempt, and the next succeeds', async () => {
    await service.fault('storage', { status: { code: 402, body: 'Not enough balance', times: 1 } });
    const receipt = await freshReceipt(service);
    await expectOneNft(receipt);
    expect((await rowOf(receipt.id)).attempts).toBe(1);
  });

  it('that refuses every time ends the receipt as failed after three attempts, and says why', async () => {
    await service.fault('storage', { requireFunds: true });
    const receipt = await freshReceipt(service);
    const ended = await awaitStatus(service, receipt.id, { wanted: ['failed'], timeoutMs: 90_000 });
    expect(ended['attempts']).toBe(3);
    expect(String(ended['last_error'])).toContain('402');
    expect(await countNfts(service.rpcUrl, receipt.owner)).toBe(0);
    await service.fault('storage', null);
    // A participant who asks again at once gets the failed state. An hour later the mint is
    // retried.
    const { signature, owner } = receipt;
    const now = await call(service, `/receipt/${receipt.id}`);
    expect(now.body).toMatchObject({
      payer: owner,
      tx_signature: signature,
      mint_status: 'failed',
    });
  });

  it('down for some time makes receipts wait; all of them complete and none fails', async () => {
    await service.fault('storage', { down: true });
    const receipts = await Promise.all(Array.from({ length: 5 }, () => freshReceipt(service)));
    for (const { id } of receipts)
      await expect.poll(async () => (await rowOf(id)).lastError).toMatch(/^storage: /);
    await service.fault('storage', null);
    for (const receipt of receipts) {
      await expectOneNft(receipt);
      expect((await rowOf(receipt.id)).attempts).toBe(0);
    }
  });
});

describe('a failed mint', () => {
  it('is re-queued by a participant, once an hour, and not by a stranger', async () => {
    await service.fault('storage', { requireFunds: true });
    const { payer, seller } = await makePair(service);
    const signature = await pay(service, { from: payer, to: seller, amount: 250_000n });
    const { body } = await mint(service, { signature, wallet: payer });
    const id = String(body['receipt_id']);
    await awaitStatus(service, id, { wanted: ['failed'], timeoutMs: 90_000 });
    await service.fault('storage', null);

    const soon = await mint(service, { signature, wallet: seller });
    expect([soon.status, soon.body['mint_status']]).toEqual([409, 'failed']);
    await service.prisma.mint.update({
      where: { id },
      data: { updatedAt: new Date(Date.now() - 3_601_000) },
    });
    expect((await mint(service, { signature })).body['mint_status']).toBe('failed');
    expect((await mint(service, { signature, wallet: makeWallet() })).status).toBe(403);
    const later = await mint(service, { signature, wallet: seller });
    expect([later.status, later.body['mint_status']]).toEqual([409, 'pending']);
    await awaitStatus(service, id);
    expect(await countNfts(service.rpcUrl, payer.address)).toBe(1);
  });
});
