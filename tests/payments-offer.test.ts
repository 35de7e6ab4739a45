import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeWallet } from '@/devnet/client/wallet';
import { startService, type TestService } from './harness/start-service';
import { decodeHeader, makeSale, mintPaid, offerOf, payOffer } from './harness/use-payments';
import { awaitClosed, call, callsOfNode, makePair, mint, pay } from './harness/use-service';
import { withoutJobs } from './harness/without-jobs';

const PUBLIC_URL = 'https://receipts.example.com';
let service: TestService;

beforeAll(async () => {
  service = await startService({ env: { PUBLIC_URL, INNGEST_SERVE_ORIGIN: '' } });
});
afterAll(() => service.close());
afterEach(() => service.fault('chain', null));

const sum = (counts: Record<string, number>) => Object.values(counts).reduce((a, b) => a + b, 0);

/** Methods that only requests use: never the job of a mint or the health checks. */
async function callsOf(work: () => Promise<unknown>): Promise<number> {
  await service.fault('chain', null);
  await work();
  const { getTransaction = 0, getSignatureStatuses = 0 } = await callsOfNode(service);
  return getTransaction + getSignatureStatuses;
}

async function finalSale() {
  const sale = await makeSale(service);
  const isFinal = async () => {
    const { body } = await call(service, `/verify/${sale.signature}`);
    return (body['transaction'] as { status: string }).status;
  };
  await expect.poll(isFinal).toBe('settled');
  return sale;
}

describe('the 402', () => {
  it('offers the same price, wallet and memo to three kinds of client', async () => {
    const { signature } = await makeSale(service);
    const answer = await mint(service, { signature, headers: { host: 'evil.example' } });
    expect(answer.status).toBe(402);
    const { body } = answer;
    const memo = offerOf(answer).memo;
    const payTo = service.appEnv['PAY_TO'];
    expect(memo).toMatch(/^QT[0-9A-HJKMNP-TV-Z]{18}$/);
    expect(body).toMatchObject({
      error: 'Payment Required',
      code: 'payment_required',
      free_tier: expect.stringContaining('1 USD') as string,
      transaction_amount: 25,
      paymentRequirements: {
        x402Version: 1,
        accepts: [
          {
            scheme: 'exact',
            network: 'solana-mainnet',
            asset: 'USDC',
            payTo,
            maxAmount: '100000',
            extra: { memo },
          },
        ],
      },
      x402Version: 1,
    });
    const extra = {
      feePayer: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/) as string,
      memo,
      paymentFlow: 'upfront',
      decimals: 6,
      tokenProgram: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
      recentBlockhash: expect.any(String) as string,
      lastValidBlockHeight: expect.stringMatching(/^\d+$/) as string,
    };
    const asset = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
    expect(body['accepts']).toEqual([
      {
        scheme: 'exact',
        network: 'solana',
        maxAmountRequired: '100000',
        asset,
        payTo,
        resource: `${PUBLIC_URL}/mint`,
        description: expect.any(String) as string,
        mimeType: 'application/json',
        maxTimeoutSeconds: 60,
        extra,
      },
    ]);
    expect(decodeHeader(answer, 'payment-required')).toEqual({
      x402Version: 2,
      error: 'Payment Required',
      resource: {
        url: `${PUBLIC_URL}/mint`,
        description: expect.any(String) as string,
        mimeType: 'application/json',
      },
      accepts: [
        {
          scheme: 'exact',
          network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
          amount: '100000',
          asset,
          payTo,
          maxTimeoutSeconds: 60,
          extra,
        },
      ],
    });
    expect(answer.headers.get('payment-required')?.length).toBeLessThan(3_000);
  });

  it('explains the fee, how to pay, how to raise spend caps and what happens to lost money', async () => {
    const { signature } = await makeSale(service);
    const { body } = await mint(service, { signature });
    const message = String(body['message']);
    expect(message).toMatch(/^TEST CHAIN/);
    for (const part of [
      '0.1 USDC',
      offerOf({ status: 402, headers: new Headers(), body }).memo,
      'X-Payment',
      'setSpendControls({ maxAmountPerPayment: "$5" })',
      '5000000',
      'bought nothing',
      '90 days',
      'by hand',
    ])
      expect(message).toContain(part);
  });

  it('is the same quote for the same request, however many ask at once', async () => {
    const { payer, seller, signature } = await makeSale(service);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        mint(service, { signature, wallet: n % 2 === 0 ? payer : seller }),
      ),
    );
    expect(new Set(answers.map((answer) => offerOf(answer).memo)).size).toBe(1);
    const other = await mint(service, { signature, body: { service_type: 'Other' } });
    expect(offerOf(other).memo).not.toBe(offerOf(answers[0] ?? other).memo);
  });

  it('asks for the amount in the price table', async () => {
    const { payer, seller } = await makePair(service);
    for (const [amount, fee] of [
      [1_000_000n, 100_000n],
      [100_000_000n - 1_000_000n, 100_000n],
    ] as const) {
      const signature = await pay(service, { from: payer, to: seller, amount });
      expect(offerOf(await mint(service, { signature })).amount).toBe(fee);
    }
    const free = await makePair(service);
    const small = await pay(service, { from: free.payer, to: free.seller, amount: 999_999n });
    expect((await mint(service, { signature: small })).status).toBe(401);
  });

  it('can be requested from any site, and read there', async () => {
    const preflight = await fetch(new URL('/mint', service.baseUrl), { method: 'OPTIONS' });
    const allowed = preflight.headers.get('access-control-allow-headers')?.toLowerCase() ?? '';
    for (const name of [
      ...['content-type', 'x-payment', 'payment-signature', 'access-control-expose-headers'],
      ...['x-wallet-address', 'x-wallet-signature', 'prefer'],
    ])
      expect(allowed.split(', ')).toContain(name);
    const { signature } = await makeSale(service);
    const { headers } = await mint(service, { signature });
    const exposed = headers.get('access-control-expose-headers')?.toLowerCase() ?? '';
    for (const name of [
      'payment-required',
      'payment-response',
      'x-payment-response',
      'retry-after',
    ])
      expect(exposed.split(', ')).toContain(name);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('comes through tRPC with the same offer', async () => {
    const { signature } = await makeSale(service);
    const rest = offerOf(await mint(service, { signature }));
    const response = await fetch(`${service.baseUrl}/api/trpc/receipts.create`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ json: { tx_signature: signature, service_type: 'API access' } }),
    });
    const body = (await response.json()) as {
      error: { json: { data: { details: Record<string, unknown>; code_word: string } } };
    };
    const { details, code_word } = body.error.json.data;
    expect([response.status, code_word]).toEqual([402, 'payment_required']);
    expect(offerOf({ status: 402, headers: new Headers(), body: details })).toEqual(rest);
  });
});

describe('a paid path', () => {
  it.each(['/mint/', '//mint', '/%6dint', '/mint%2F', '/docs%2F..%2Fmint'])(
    'is not free when a client spells it %s',
    async (path) => {
      const { signature } = await makeSale(service);
      const { status } = await fetch(`${service.baseUrl}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ tx_signature: signature, service_type: 'API access' }),
      });
      expect([400, 402, 404, 405]).toContain(status);
      expect(await service.prisma.receipt.count({ where: { txSignature: signature } })).toBe(0);
    },
  );
});

describe('a payment header', () => {
  it.each([
    ['a word', { 'x-payment': 'paid' }],
    ['a wallet address', { 'x-payment': makeWallet().address }],
    ['JSON that is not base64', { 'x-payment': '{"x402Version":1}' }],
    ['base64 of a text that is not JSON', { 'x-payment': Buffer.from('hello').toString('base64') }],
    [
      'another version',
      { 'x-payment': encode({ x402Version: 3, payload: { transaction: 'AA==' } }) },
    ],
    ['no transaction', { 'payment-signature': encode({ x402Version: 2, payload: {} }) }],
    [
      'an invalid transaction',
      { 'payment-signature': encode({ x402Version: 2, payload: { transaction: 'AAAA' } }) },
    ],
    ['a signature in the wrong header', { 'payment-signature': '1'.repeat(64) }],
    ['more than 8 KB', { 'payment-signature': 'A'.repeat(8_193) }],
  ])('with %s is a 400 that names the accepted forms', async (_, headers) => {
    const { signature } = await makeSale(service);
    const { status, body } = await mint(service, { signature, headers });
    expect([status, body['code'], body['success']]).toEqual([400, 'payment_unreadable', false]);
    expect(body['error']).toContain('base58 signature');
  });
});

describe('a payment that no node knows', () => {
  const unknown = () => makeWallet().signText('never sent');

  it('is searched for, then requested again: no claim, the same quote', async () => {
    const { payer, signature } = await makeSale(service);
    const offer = offerOf(await mint(service, { signature }));
    const payment = unknown();
    const { status, headers, body } = await mintPaid(service, { signature, payment });
    expect([status, body['code'], headers.get('retry-after')]).toEqual([
      503,
      'payment_not_seen_yet',
      '5',
    ]);
    expect(body['error']).toContain('same X-Payment');
    expect(await service.prisma.payment.count({ where: { signature: payment } })).toBe(0);
    expect(offerOf(await mint(service, { signature, wallet: payer }))).toEqual(offer);
  });

  it('is found when it appears during the search', async () => {
    const { payer, signature } = await finalSale();
    const offer = offerOf(await mint(service, { signature }));
    const payment = await payOffer(service, { from: payer, offer });
    await service.fault('chain', { hideTransactions: 30 });
    const { status, body } = await mintPaid(service, { signature, payment });
    expect(status, JSON.stringify(body)).toBe(200);
    expect((await callsOfNode(service))['getTransaction']).toBeGreaterThan(1);
    // Its job asks about transactions as well.
    await awaitClosed(service, String(body['receipt_id']));
  });

  it('costs at most two waits of one client at once; a third request is answered at once', async () => {
    const { signature } = await finalSale();
    await mint(service, { signature });
    const calls = await callsOf(async () => {
      const wait = async () => (await mintPaid(service, { signature, payment: unknown() })).status;
      expect(await Promise.all([wait(), wait(), wait(), wait()])).toEqual([503, 503, 503, 503]);
    });
    // Two requests search for 10 s, once a second or less often, and two only once. A job that
    // reads a mint may add a few.
    expect(calls).toBeGreaterThan(6);
    expect(calls).toBeLessThan(30);
  });
});

describe('the nodes', () => {
  it('are asked for the slot of a new offer, and not again for transactions already read', async () => {
    const sales = await Promise.all(Array.from({ length: 5 }, finalSale));
    for (const { signature } of sales) await mint(service, { signature });
    const askAll = async () => {
      for (let round = 0; round < 20; round += 1)
        await Promise.all(
          sales.map(async ({ signature }, n) => {
            const label = `round ${round} of ${n}`;
            offerOf(await mint(service, { signature, body: { service_type: label } }));
          }),
        );
    };
    const asked = await withoutJobs(service, () => callsOf(askAll));
    expect(asked).toBe(0);
    const { getSlot = 0, ...others } = await callsOfNode(service);
    // One for each of the hundred offers, and those of the health checks.
    expect(getSlot).toBeGreaterThanOrEqual(100);
    expect(getSlot).toBeLessThan(170);
    expect(sum(others)).toBeLessThan(80);
  });

  it('are asked twice for a paid request: for the payment, and whether it was sent back', async () => {
    const { payer, signature } = await finalSale();
    const offer = offerOf(await mint(service, { signature }));
    const payment = await payOffer(service, { from: payer, offer });
    const asked = await withoutJobs(service, () =>
      callsOf(async () => {
        expect((await mintPaid(service, { signature, payment })).status).toBe(200);
      }),
    );
    expect(asked).toBeLessThanOrEqual(2);
  });

  it('down are a 503 for a paid request, never a 402; the repeat succeeds', async () => {
    const { payer, signature } = await finalSale();
    const offer = offerOf(await mint(service, { signature }));
    const payment = await payOffer(service, { from: payer, offer });
    await service.fault('chain', { failMethods: { '*': { status: 503 } } });
    const down = await mintPaid(service, { signature, payment });
    expect([down.status, down.body['code']]).toEqual([503, 'chain_unavailable']);
    await service.fault('chain', null);
    await expect
      .poll(async () => (await mintPaid(service, { signature, payment })).status, {
        timeout: 90_000,
      })
      .toBe(200);
  });
});

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64');
}
