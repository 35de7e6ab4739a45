import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeWallet } from '@/devnet/client/wallet';
import { signOffer } from './harness/sign-offer';
import { startService, type TestService } from './harness/start-service';
import { register } from './harness/use-dashboard';
import { makeSale, mintPaid, offerOf, payOffer } from './harness/use-payments';
import { askStatement, awaitFinal } from './harness/use-statements';
import { call, makePair, mint, pay } from './harness/use-service';

const EVM = '0x52908400098527886E0F7030069857D2E4169EE7';
let service: TestService;
beforeAll(async () => {
  service = await startService({ env: { LIMITS: 'wallet=1' } });
});
afterAll(() => service.close());

describe.each(['X-Wallet-Address', 'x-wallet-address'])('a lone EVM address in %s', (name) => {
  const foreign = { [name]: EVM };

  it('is ignored for a receipt: it is offered, and bought in every dialect', async () => {
    for (const version of ['documented', 'v1', 'v2'] as const) {
      const { payer, signature } = await makeSale(service);
      const answer = await mint(service, { signature, headers: foreign });
      const offer = offerOf(answer);
      const bought =
        version === 'documented'
          ? await mintPaid(service, {
              signature,
              headers: foreign,
              payment: await payOffer(service, { from: payer, offer }),
            })
          : await mint(service, {
              signature,
              headers: {
                ...(await signOffer(service, { answer, from: payer, version })),
                ...foreign,
              },
            });
      expect(bought.status, JSON.stringify(bought.body)).toBe(200);
      const repeat = await mint(service, { signature, headers: foreign });
      expect(repeat.status).toBe(409);
    }
  });

  it('is ignored for a statement, and a missing proof is reported where one is needed', async () => {
    const { payer, seller } = await makePair(service);
    const small = await pay(service, { from: payer, to: seller, amount: 250_000n });
    await awaitFinal(service, [small]);
    const body = { wallet_address: payer.address, transactions: [small] };
    const offer = offerOf(await askStatement(service, body, foreign));
    const payment = await payOffer(service, { from: payer, offer });
    const headers = { ...foreign, 'x-payment': payment, prefer: 'wait=0' };
    expect((await askStatement(service, body, headers)).status).toBe(202);

    const free = await mint(service, { signature: small, headers: foreign });
    expect([free.status, free.body['code']]).toEqual([401, 'wallet_proof_missing']);
    expect(free.body['error']).toContain('A free receipt needs');
    for (const method of ['POST', 'DELETE']) {
      const answer = await call(service, '/register', {
        method,
        headers: { 'content-type': 'application/json', ...foreign },
        ...(method === 'POST'
          ? {
              body: JSON.stringify({
                wallet_address: payer.address,
                business_name: 'Shop',
                country: 'DE',
                service_type: 'Bread',
              }),
            }
          : {}),
      });
      expect([answer.status, answer.body['code']], method).toEqual([401, 'wallet_proof_missing']);
      expect(answer.body['error']).not.toContain(EVM);
    }
  });
});

it('a lone Solana address, a lone signature, and an EVM address with a signature are 401 on every route', async () => {
  const { payer, signature } = await makeSale(service);
  const proof = payer.signText(`quittance:${signature}`);
  const cases: Record<string, string>[] = [
    { 'x-wallet-address': payer.address },
    { 'x-wallet-signature': proof },
    { 'x-wallet-address': EVM, 'x-wallet-signature': proof },
  ];
  for (const headers of cases) {
    const minted = await mint(service, { signature, headers });
    expect(minted.status, JSON.stringify([headers, minted.body])).toBe(401);
    const registered = await register(service, payer, {
      headers: { 'x-wallet-address': '', 'x-wallet-signature': '', ...headers },
    });
    expect(registered.status).toBe(401);
    const body = { wallet_address: payer.address, transactions: [signature] };
    const paid = { ...headers, 'x-payment': signature };
    expect((await askStatement(service, body, paid)).status).toBe(401);
  }
});

it('an EVM address uses nothing of the limit for proven wallets', async () => {
  const { payer, signature } = await makeSale(service);
  for (let n = 0; n < 3; n += 1)
    offerOf(await mint(service, { signature, headers: { 'x-wallet-address': EVM } }));
  expect((await mint(service, { signature, wallet: payer })).status).toBe(402);
  expect((await mint(service, { signature, wallet: payer })).status).toBe(429);
  expect((await mint(service, { signature, wallet: makeWallet() })).status).toBe(403);
});
