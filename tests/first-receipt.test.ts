import { afterAll, beforeAll, expect, it } from 'vitest';
import { startService, type TestService } from './harness/start-service';
import { awaitStatus, makePair, mint, pay } from './harness/use-service';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

it('makes one receipt and one NFT of one payment', async () => {
  const { payer, seller } = await makePair(service);
  const signature = await pay(service, { from: payer, to: seller, amount: 750_000n });
  const answer = await mint(service, { signature, wallet: payer });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const receiptId = String(answer.body['receipt_id']);
  const status = await awaitStatus(service, receiptId);
  const row = await service.prisma.mint.findUniqueOrThrow({ where: { id: receiptId } });
  expect(row).toMatchObject({ status: 'completed', owner: payer.address, attempts: 0 });
  expect(status).toMatchObject({ mint_signature: row.mintSignature, asset_id: row.assetId });
  expect(await service.prisma.receipt.count()).toBe(1);
});
