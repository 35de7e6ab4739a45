import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startService, type TestService } from './harness/start-service';
import { decodeHeader, makeSale, mintPaid, offerOf, payOffer } from './harness/use-payments';
import { awaitStatus, call, mint } from './harness/use-service';

let service: TestService;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
afterEach(() => service.fault('chain', null));

describe('a receipt of 25 USDC', () => {
  it('is offered for 0.10 USDC, paid by the client, and minted', async () => {
    const { payer, signature } = await makeSale(service);
    const asked = await mint(service, { signature, wallet: payer });
    const offer = offerOf(asked);
    expect(offer.amount).toBe(100_000n);
    const payment = await payOffer(service, { from: payer, offer });
    const bought = await mintPaid(service, { signature, payment, headers: { prefer: 'wait=25' } });
    expect([bought.status, bought.body['mint_status']], JSON.stringify(bought.body)).toEqual([
      200,
      'completed',
    ]);
    expect(decodeHeader(bought, 'payment-response')).toMatchObject({
      success: true,
      transaction: payment,
      payer: payer.address,
    });
    const row = await service.prisma.payment.findUniqueOrThrow({ where: { signature: payment } });
    expect(row).toMatchObject({
      state: 'used',
      payer: payer.address,
      amountMicros: 100_000n,
      priceMicros: 100_000n,
      quoteId: offer.memo,
      subjectId: bought.body['receipt_id'],
    });
    const id = String(bought.body['receipt_id']);
    await awaitStatus(service, id);
    expect((await call(service, `/receipt/${id}`)).body).toMatchObject({ reported_by: 'payer' });
  });
});
