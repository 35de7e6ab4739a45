import { z } from 'zod';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRpc } from '@/server/chain/rpc';
import { readTransfer } from '@/server/chain/read-transfer';
import { startService, type TestService } from './harness/start-service';
import { makePair, pay } from './harness/use-service';

let service: TestService;
let lagging: string;

/** Far enough behind that a new payment is unknown there for a while. */
const LAG_SLOTS = 40;

beforeAll(async () => {
  service = await startService();
  const answer = await fetch(`${service.rpcUrl}/_nodes`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ lagSlots: LAG_SLOTS }),
  });
  lagging = z.object({ url: z.url() }).parse(await answer.json()).url;
});
afterAll(() => service.close());

it('a node that lags does not make a payment unknown while another knows it', async () => {
  const { payer, seller } = await makePair(service);
  const signature = await pay(service, { from: payer, to: seller, amount: 250_000n });
  const alone = createRpc({ urls: [lagging], timeoutMs: 2_000 });
  expect(await readTransfer({ rpc: alone, signature })).toMatchObject({
    ok: false,
    code: 'transaction_not_found',
  });
  const both = createRpc({ urls: [lagging, service.rpcUrl], timeoutMs: 2_000 });
  expect(await readTransfer({ rpc: both, signature })).toMatchObject({
    ok: true,
    transfer: { payer: payer.address, amount: 250_000n },
  });
});
