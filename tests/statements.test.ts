import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeWallet } from '@/devnet/client/wallet';
import { countNfts } from './harness/count-nfts';
import { startService, type TestService } from './harness/start-service';
import { offerOf } from './harness/use-payments';
import { aroundNow, askStatement, buy, makeAgent, payTimes } from './harness/use-statements';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
afterEach(() => service.fault('chain', null));

describe('a statement of a period', () => {
  it('is offered, paid by the wallet as documented, and minted to it once', async () => {
    const agent = await makeAgent(service);
    const shop = makeWallet();
    const paid = await payTimes(service, { from: agent, to: shop, count: 12 });
    const body = {
      wallet_address: agent.address,
      ...aroundNow(),
      output_formats: ['json', 'csv'],
    };
    // The faucet's SOL is a payment as well.
    const asked = await askStatement(service, body);
    expect(asked.body).toMatchObject({ tx_count: 13, pricing_tier: '$3.00' });
    expect(offerOf(asked).amount).toBe(3_000_000n);
    const { answer } = await buy(service, { from: agent, body });
    expect([answer.status, answer.body['mint_status']], JSON.stringify(answer.body)).toEqual([
      200,
      'completed',
    ]);
    const id = String(answer.body['statement_id']);
    expect(id).toMatch(/^STMT[0-9A-Z]{8}$/);
    const mint = await service.prisma.mint.findUniqueOrThrow({ where: { id } });
    expect(answer.body['nft_mint']).toBe(mint.assetId);
    expect(await countNfts(service.rpcUrl, agent.address)).toBe(1);
    expect(
      (answer.body['transactions'] as { tx_signature: string }[]).map((one) => one.tx_signature),
    ).toEqual(expect.arrayContaining(paid));
    expect(answer.body['summary']).toMatchObject({ tx_count: 13 });
  });
});
