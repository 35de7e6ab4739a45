import { wrap } from '@faremeter/fetch';
import { exact } from '@faremeter/payment-solana';
import {
  address,
  createKeyPairFromBytes,
  createKeyPairSignerFromBytes,
  partiallySignTransaction,
} from '@solana/kit';
import type { VersionedTransaction } from '@solana/web3.js';
import { wrapFetchWithPayment as wrapFetch, x402Client } from '@x402/fetch';
import { ExactSvmScheme } from '@x402/svm/exact/client';
import { ExactSvmSchemeV1 } from '@x402/svm/exact/v1/client';
import axios from 'axios';
import bs58 from 'bs58';
import { createSigner, withPaymentInterceptor } from 'x402-axios';
import { wrapFetchWithPayment as wrapFetchV1 } from 'x402-fetch';
import { createX402Client } from 'x402-solana/client';
import { beforeAll, describe, expect, it } from 'vitest';
import { TOKENS } from '@/devnet/client/pay-token';
import { fundWallet } from '@/devnet/client/fund-wallet';
import { makeWallet, type Wallet } from '@/devnet/client/wallet';
import { EXAMPLE_VARIABLES, firstReceipt, paidExamples } from '@/server/rest/openapi/paid-examples';
import { tokenBalance } from './harness/make-payment';
import { canRun, runExample } from './harness/run-example';
import { signOffer } from './harness/sign-offer';
import { sharedService } from './harness/shared-service';
import type { TestService } from './harness/start-service';
import { makeSale, mintPaid, offerOf, payOffer } from './harness/use-payments';
import { awaitStatus, call, mint, pay } from './harness/use-service';

let service: TestService;
beforeAll(async () => {
  service = await sharedService();
});

type Bought = { status: number; body: unknown };
/**
 * A client that buys without help: it gets a request and a wallet, and nothing about the service.
 */
type Buy = (o: { url: string; body: string; from: Wallet }) => Promise<Bought>;

const JSON_TYPE = { 'content-type': 'application/json' };
const secretOf = (from: Wallet) => bs58.encode(from.keypair.secretKey);
const signerOf = (from: Wallet) => createKeyPairSignerFromBytes(from.keypair.secretKey);
const rpc = () => ({ rpcUrl: service.rpcUrl });

async function post(fetcher: typeof fetch, url: string, body: string): Promise<Bought> {
  const response = await fetcher(url, { method: 'POST', headers: JSON_TYPE, body });
  return { status: response.status, body: await response.json() };
}

/** The service behind a proxy that removes every header of version 2. */
const withoutV2: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  const headers = new Headers(response.headers);
  headers.delete('payment-required');
  return new Response(response.body, { status: response.status, headers });
};

/** Signs like a wallet extension. */
async function faremeterWallet(from: Wallet) {
  const keys = await createKeyPairFromBytes(from.keypair.secretKey);
  return {
    network: 'mainnet-beta',
    publicKey: address(from.address),
    partiallySignTransaction: (transaction: Parameters<typeof partiallySignTransaction>[1]) =>
      partiallySignTransaction([keys], transaction),
  };
}

const CLIENTS: Record<string, Buy> = {
  '@x402/fetch of version 2': async ({ url, body, from }) => {
    const client = new x402Client().register(
      'solana:*',
      new ExactSvmScheme(await signerOf(from), rpc()),
    );
    return post(wrapFetch(fetch, client), url, body);
  },
  '@x402/fetch of version 1': async ({ url, body, from }) => {
    const client = new x402Client().registerV1(
      'solana',
      new ExactSvmSchemeV1(await signerOf(from), rpc()),
    );
    return post(wrapFetch(withoutV2, client), url, body);
  },
  'x402-fetch': async ({ url, body, from }) => {
    const signer = await createSigner('solana', secretOf(from));
    const config = { svmConfig: rpc() };
    return post(
      wrapFetchV1(fetch, signer, undefined, undefined, config) as typeof fetch,
      url,
      body,
    );
  },
  'x402-axios': async ({ url, body, from }) => {
    const signer = await createSigner('solana', secretOf(from));
    const client = withPaymentInterceptor(axios.create({ proxy: false }), signer, undefined, {
      svmConfig: rpc(),
    });
    const { status, data } = await client.post<unknown>(url, body, { headers: JSON_TYPE });
    return { status, body: data };
  },
  '@faremeter/fetch, without a node': async ({ url, body, from }) => {
    const wallet = await faremeterWallet(from);
    const handler = exact.createPaymentHandler(wallet, address(TOKENS.USDC.mint));
    return post(wrap(fetch, { handlers: [handler] }), url, body);
  },
  '@faremeter/fetch of version 1': async ({ url, body, from }) => {
    const wallet = await faremeterWallet(from);
    const handler = exact.createPaymentHandler(wallet, address(TOKENS.USDC.mint), service.rpcUrl);
    return post(wrap(withoutV2, { handlers: [handler] }), url, body);
  },
  'x402-solana of PayAI': async ({ url, body, from }) => {
    const client = createX402Client({
      wallet: {
        address: from.address,
        signTransaction: async (transaction: VersionedTransaction) => {
          transaction.sign([from.keypair]);
          return transaction;
        },
      },
      network: 'solana',
      rpcUrl: service.rpcUrl,
    });
    return post(client.fetch.bind(client) as typeof fetch, url, body);
  },
  'a plain script in the documented dialect': async ({ body, from }) => {
    const { tx_signature: signature } = JSON.parse(body) as { tx_signature: string };
    const offer = offerOf(await mint(service, { signature }));
    const payment = await payOffer(service, { from, offer });
    return mintPaid(service, { signature, payment });
  },
};

describe.each(Object.entries(CLIENTS))('%s', (_, buy) => {
  it('buys the receipt of a transfer of 25 USDC for 0.10 USDC', async () => {
    const { payer, seller, signature } = await makeSale(service);
    const bought = await buy({
      url: `${service.baseUrl}/mint`,
      body: JSON.stringify({ tx_signature: signature, service_type: 'API access' }),
      from: payer,
    });
    expect(bought.status, JSON.stringify(bought.body)).toBe(200);
    const { receipt_id } = bought.body as { receipt_id: string };
    expect(await awaitStatus(service, receipt_id)).toMatchObject({ mint_status: 'completed' });
    // 100 USDC from the faucet, 25 to the seller, the fee, and nothing else.
    expect(await tokenBalance(service, seller.address)).toBe(25_000_000n);
    expect(await tokenBalance(service, payer.address)).toBe(74_900_000n);
    const payments = await service.prisma.payment.findMany({ where: { payer: payer.address } });
    expect(payments).toMatchObject([
      { state: 'used', subjectId: receipt_id, amountMicros: 100_000n, priceMicros: 100_000n },
    ]);
  });
});

const PROBES: [string, RequestInit][] = [
  ['an empty object', { headers: JSON_TYPE, body: '{}' }],
  ['an empty body', { headers: JSON_TYPE, body: '' }],
  ['an empty body without a type', {}],
];
describe.each([
  ['/mint', { transaction_amount: 0 }, { least: 0.1, most: 5 }],
  ['/statement', { tx_count: 0 }, { least: 1, most: 5 }],
] as const)('a program that asks for the price of POST %s', (path, counted, range) => {
  const ask = async (init: RequestInit) => {
    const answer = await fetch(`${service.baseUrl}${path}`, { method: 'POST', ...init });
    const header = answer.headers.get('payment-required');
    return { status: answer.status, body: (await answer.json()) as object, header };
  };

  it.each(PROBES)('gets the price range for %s, and no quote', async (_, init) => {
    const before = await service.prisma.quote.count();
    const { status, body, header } = await ask(init);
    expect([status, body]).toEqual([402, expect.objectContaining(counted)]);
    const v1 = { scheme: 'exact', maxAmountRequired: '5000000', network: 'solana' };
    expect(body).toMatchObject({
      error: 'Payment Required',
      code: 'payment_required',
      price_range: range,
      x402Version: 1,
      accepts: [v1],
    });
    expect(JSON.parse(Buffer.from(header ?? '', 'base64').toString())).toMatchObject({
      x402Version: 2,
      accepts: [{ scheme: 'exact', amount: '5000000' }],
    });
    expect(await service.prisma.quote.count()).toBe(before);
  });

  it('gets a 400 for every other malformed body', async () => {
    const bodies = ['[]', 'null', '{"x":1}', '{', ' ', '""'];
    const answers = await Promise.all(bodies.map((body) => ask({ headers: JSON_TYPE, body })));
    expect(answers.map(({ status }) => status)).toEqual(bodies.map(() => 400));
  });

  it.each(Object.entries(CLIENTS))(
    'that still pays, with %s, is charged nothing',
    async (_, buy) => {
      const from = makeWallet();
      const funds = { sol: 1, token: 'USDC', amount: '100' } as const;
      await fundWallet(service.rpcUrl, { wallet: from.address, ...funds });
      const url = `${service.baseUrl}${path}`;
      // Some clients throw for any status but 200, and some refuse to sign so large a sum.
      const status = await buy({ url, body: '{}', from }).then(
        (bought) => bought.status,
        () => 'thrown' as const,
      );
      expect(status).not.toBe(200);
      expect(await tokenBalance(service, from.address)).toBe(100_000_000n);
      expect(await service.prisma.payment.count({ where: { payer: from.address } })).toBe(0);
    },
  );

  it.each(['{}', ''])('is refused with a payment and the body %j', async (body) => {
    const sale = await makeSale(service);
    const answer = await mint(service, { signature: sale.signature });
    const payment = await payOffer(service, { from: sale.payer, offer: offerOf(answer) });
    const signed = { answer, from: sale.payer };
    const headers: Record<string, string>[] = [
      { 'x-payment': payment },
      await signOffer(service, { ...signed, version: 'v1' }),
      await signOffer(service, { ...signed, version: 'v2' }),
    ];
    for (const header of headers)
      expect((await ask({ headers: { ...JSON_TYPE, ...header }, body })).status).toBe(400);
    expect(await service.prisma.payment.count({ where: { payer: sale.payer.address } })).toBe(0);
    // The payment still buys the request of its quote.
    const { signature } = sale;
    expect((await mintPaid(service, { signature, payment })).status).toBe(200);
  });
});

describe.each(['curl', 'typescript', 'python'] as const)(
  'the examples of the docs in %s',
  (name) => {
    it.skipIf(!canRun(name))('buy a receipt and a statement unchanged', async () => {
      const { payer, signature } = await makeSale(service);
      await expect
        .poll(async () => (await call(service, `/verify/${signature}`)).body['transaction'], {
          timeout: 90_000,
        })
        .toMatchObject({ status: 'settled' });
      const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString();
      const env = {
        WALLET_KEY: secretOf(payer),
        SOLANA_RPC_URL: service.rpcUrl,
        TX_SIGNATURE: signature,
        SERVICE_TYPE: 'API access, March',
        WALLET: payer.address,
        PERIOD_START: day(-1),
        PERIOD_END: day(1),
      };
      // The docs explain each of them.
      expect(Object.keys(EXAMPLE_VARIABLES).sort()).toEqual(Object.keys(env).sort());
      const run = (route: '/mint' | '/statement') =>
        runExample({ language: name, code: paidExamples(service.baseUrl, route)[name], env });
      // The first receipt is free. The Python example shows how to pay, so it has none.
      const free = async () => {
        if (name === 'python') return;
        const small = await pay(service, { from: payer, to: makeWallet(), amount: 250_000n });
        const code = firstReceipt(service.baseUrl, 'quittance')[name];
        const first = { ...env, TX_SIGNATURE: small };
        const made = await runExample({ language: name, code, env: first });
        expect(made).toMatchObject({ success: true, mint_status: 'completed' });
        const id = String(made['receipt_id']);
        expect((await call(service, `/receipt/${id}`)).body['tx_signature']).toBe(small);
      };
      const [receipt] = await Promise.all([run('/mint'), free()]);
      const statement = await run('/statement');
      const payments = await service.prisma.payment.findMany({
        where: { payer: payer.address },
        orderBy: { amountMicros: 'asc' },
      });
      expect(payments).toMatchObject([
        { state: 'used', subjectId: receipt['receipt_id'], amountMicros: 100_000n },
        { state: 'used', subjectId: statement['statement_id'], amountMicros: 1_000_000n },
      ]);
    });
  },
);
