import { Transaction, TransactionInstruction, PublicKey } from '@solana/web3.js';
import { expect, it } from 'vitest';
import { callRpc } from '@/devnet/client/call-rpc';
import { makeWallet, type Wallet } from '@/devnet/client/wallet';
import { mint, makePair, pay } from '@/tests/harness/use-service';
import type { Site } from './harness/open-page';

const MEMO = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');

/** What the service does for pages that have no node of their own, and what it does not. */
export function deskSpecs(site: () => Site): void {
  async function ask(procedure: string, input: object): Promise<Record<string, unknown>> {
    const response = await fetch(new URL(`/api/trpc/${procedure}`, site().service.baseUrl), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ json: input }),
    });
    const body = (await response.json()) as {
      error?: { json: { data: { code_word: string } } };
      result?: { data: { json: object } };
    };
    return { code: body.error?.json.data.code_word, ...body.result?.data.json };
  }

  /** A transaction with a memo, signed by a wallet. */
  async function signed(wallet: Wallet, memo: string): Promise<string> {
    const answer = await callRpc(site().service.rpcUrl, 'getLatestBlockhash', []);
    const { value } = answer as { value: { blockhash: string } };
    const transaction = new Transaction({
      feePayer: wallet.keypair.publicKey,
      blockhash: value.blockhash,
      lastValidBlockHeight: 0,
    }).add(new TransactionInstruction({ programId: MEMO, keys: [], data: Buffer.from(memo) }));
    transaction.sign(wallet.keypair);
    return transaction.serialize().toString('base64');
  }

  async function quoted() {
    const { service } = site();
    const { payer, seller } = await makePair(service);
    const tx = await pay(service, { from: payer, to: seller, amount: 2_000_000n });
    const { body } = await mint(service, { signature: tx, wallet: payer });
    const { id } = body['quote'] as { id: string };
    const request = { tx_signature: tx, service_type: 'API access' };
    const prepare = (wallet: string, more: object = {}) =>
      ask('web.prepare', { quote_id: id, request, wallet, mode: 'sign', ...more });
    return { payer, id, prepare };
  }

  it('sends a transaction only when it carries the memo of an open quote that was prepared', async () => {
    const { payer, id, prepare } = await quoted();
    const send = async (memo: string) =>
      (await ask('web.send', { quote_id: id, transaction: await signed(payer, memo) }))['code'];
    expect(await send(id)).toBe('quote_unknown');
    expect(await prepare(payer.address)).toMatchObject({ state: 'ready' });
    expect(await send('hello')).toBe('invalid_request');
    expect(await send(`QT${'0'.repeat(18)}`)).toBe('invalid_request');
    expect(await send(id)).toBeUndefined();
    await site().service.prisma.quote.update({
      where: { id },
      data: { openUntil: new Date(Date.now() - 1_000) },
    });
    expect(await send(id)).toBe('quote_unknown');
  });

  it('sends nothing that its signers did not sign', async () => {
    const { payer, id, prepare } = await quoted();
    await prepare(payer.address);
    const wire = Buffer.from(await signed(payer, id), 'base64');
    wire.writeUInt8((wire.readUInt8(1) + 1) % 256, 1);
    const answer = await ask('web.send', { quote_id: id, transaction: wire.toString('base64') });
    expect(answer['code']).toBe('invalid_request');
  });

  it('keeps the signature with the quote before it sends, and lets no second one meanwhile', async () => {
    const { service } = site();
    const { payer, id, prepare } = await quoted();
    await prepare(payer.address);
    await service.fault('chain', { failMethods: { sendTransaction: { status: 503 } } });
    const wire = await signed(payer, id);
    expect((await ask('web.send', { quote_id: id, transaction: wire }))['code']).toBe(
      'chain_unavailable',
    );
    await service.fault('chain', null);
    const { paymentHint } = await service.prisma.quote.findUniqueOrThrow({ where: { id } });
    expect(paymentHint).not.toBeNull();
    expect(await prepare(payer.address)).toEqual({
      code: undefined,
      state: 'under_way',
      quote_id: id,
    });
  });

  it('prepares a payment for a wallet of the transaction and for the request that was quoted alone', async () => {
    const { payer, prepare } = await quoted();
    expect((await prepare(makeWallet().address))['code']).toBe('not_a_participant');
    const request = { tx_signature: '1'.repeat(64), service_type: 'another' };
    expect((await prepare(payer.address, { request }))['code']).toBe('invalid_request');
  });

  it('never tells a browser where its nodes are', async () => {
    const { service } = site();
    const { origin, host } = new URL(service.rpcUrl);
    const html = await (await fetch(service.baseUrl)).text();
    const scripts = [...html.matchAll(/src="([^"]+\.js)"/g)].map(([, url]) => url ?? '');
    const texts = await Promise.all(
      scripts.map(async (url) => (await fetch(new URL(url, service.baseUrl))).text()),
    );
    for (const text of [html, ...texts]) {
      expect(text).not.toContain(origin);
      expect(text).not.toContain(host);
    }
  });
}
