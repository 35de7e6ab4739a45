import { createHash } from 'node:crypto';
import { createAssociatedTokenAccountIdempotentInstruction } from '@solana/spl-token';
import { Keypair, SystemProgram, VersionedTransaction } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRpc } from '@/server/chain/rpc';
import { RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import {
  approve,
  makePayment,
  memo,
  payload,
  PRICE,
  QUOTE,
  startShop,
  tokenAccount,
  uncheckedTransfer,
  usdcOf,
  USDC,
  USDT,
  type Shop,
  type Wish,
} from './exact.fixture';
import { LIMITS } from './scan-wire';
import { verifyExact } from './verify-exact';

let shop: Shop;
const stranger = Keypair.generate();
const delegate = Keypair.generate();
beforeAll(async () => {
  shop = await startShop();
  await shop.chain.post('/faucet', {
    wallet: shop.payer.publicKey.toBase58(),
    token: 'USDT',
    amount: '1',
  });
  for (const token of ['USDC', 'USDT'])
    for (const wallet of [shop.payTo, stranger.publicKey])
      await shop.chain.post('/faucet', {
        wallet: wallet.toBase58(),
        token,
        amount: '0.000001',
      });
  await shop.chain.slots(2);
  await approve(shop, delegate.publicKey);
});
afterAll(() => shop.close());

const VERSIONS = [1, 2] as const;
const verify = (version: 1 | 2, wire: Uint8Array, o: Parameters<typeof payload>[2] = {}) =>
  verifyExact(
    { version, paymentPayload: payload(version, wire, o), quote: shop.quote },
    shop.parts,
  );
const OTHER_QUOTE = 'QT000000000000000002';

describe.each(VERSIONS)('a payment of x402 version %i', (version) => {
  it.each<[string, Wish]>([
    ['the memo of the quote', {}],
    ['no memo, as x402-fetch and PayAI', { memos: [] }],
    ['a memo of its own', { memos: ['0123456789abcdef0123456789abcdef'] }],
    ['the largest price and limit', { units: 120_000, microLamports: 100_000 }],
  ])('is good with %s, and names payer, message and memo', async (_, wish) => {
    const wire = makePayment(shop, wish);
    const { message } = VersionedTransaction.deserialize(wire);
    expect(await verify(version, wire)).toEqual({
      ok: true,
      payer: shop.payer.publicKey.toBase58(),
      messageHash: createHash('sha256').update(message.serialize()).digest('hex'),
      wire,
      memo: (wish.memos ?? [QUOTE.id])[0] ?? null,
    });
  });

  it.each([
    'solana',
    'solana-mainnet',
    'solana-mainnet-beta',
    'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  ])('is good for the network by the name %s', async (network) => {
    expect(await verify(version, makePayment(shop), { network })).toMatchObject({ ok: true });
  });

  it.each(['solana-devnet', 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1', 'base'])(
    'is refused for the network %s',
    async (network) => {
      expect(await verify(version, makePayment(shop), { network })).toMatchObject({
        reason: 'invalid_exact_svm_network_mismatch',
      });
    },
  );

  const COMPUTE = 'payload_transaction_instructions_compute';
  it.each<[string, string, () => Wish]>([
    ['one unit too much', 'payload_amount_mismatch', () => ({ amount: PRICE + 1n })],
    ['one unit too little', 'payload_amount_mismatch', () => ({ amount: PRICE - 1n })],
    ['another token with as many decimals', 'payload_mint_mismatch', () => ({ mint: USDT })],
    [
      'another receiver',
      'payload_recipient_mismatch',
      () => ({ destination: tokenAccount(stranger.publicKey) }),
    ],
    [
      'the client as its own fee payer',
      'fee_payer_mismatch',
      () => ({ feePayer: shop.payer.publicKey }),
    ],
    [
      'our fee payer as who pays',
      'payload_transaction_fee_payer_transferring_funds',
      () => ({ authority: shop.feePayer, signers: [] }),
    ],
    [
      'an unchecked transfer',
      'payload_no_transfer_instruction',
      () => ({ shape: ([limit, price]) => [limit, price, uncheckedTransfer(shop)].flatMap(set) }),
    ],
    [
      'an account opened before the transfer',
      'payload_no_transfer_instruction',
      () => ({
        shape: ([limit, price, transfer]) => [limit, price, openAccount(), transfer].flatMap(set),
      }),
    ],
    [
      'a transfer of SOL for one of USDC',
      'payload_no_transfer_instruction',
      () => ({ shape: ([limit, price]) => [limit, price, moveSol()].flatMap(set) }),
    ],
    [
      'a second transfer',
      'payload_unknown_fourth_instruction',
      () => ({
        shape: ([limit, price, transfer]) => [limit, price, transfer, transfer].flatMap(set),
      }),
    ],
    [
      'a program of its own at the end',
      'payload_unknown_fifth_instruction',
      () => ({ shape: (plain) => [...plain, moveSol()] }),
    ],
    [
      'a priority fee above ours',
      `${COMPUTE}_price_instruction_too_high`,
      () => ({ microLamports: LIMITS.priorityFeeMicroLamports + 1 }),
    ],
    [
      "a priority fee above the library's",
      `${COMPUTE}_price_instruction_too_high`,
      () => ({ microLamports: 5_000_001 }),
    ],
    [
      'more compute units than ours',
      `${COMPUTE}_limit_instruction_too_high`,
      () => ({ units: LIMITS.computeUnits + 1 }),
    ],
    [
      'no compute budget',
      'payload_transaction_instructions_length',
      () => ({ shape: (plain) => plain.slice(2) }),
    ],
    [
      'the price before the limit',
      `${COMPUTE}_limit_instruction`,
      () => ({ shape: ([limit, price, ...rest]) => [price, limit, ...rest].flatMap(set) }),
    ],
    ['no signature of the payer', 'payload_signature_invalid', () => ({ signers: [] })],
    [
      'more signatures than two',
      'payload_excessive_signers',
      () => ({
        shape: (plain) => [...plain.slice(0, 3), memo('x', [stranger.publicKey])],
        signers: [shop.payer, stranger],
      }),
    ],
    [
      'our fee payer as signer of a memo',
      'payload_fee_payer_in_instruction',
      () => ({ shape: (plain) => [...plain.slice(0, 3), memo('x', [shop.feePayer])] }),
    ],
    ['the memo of another quote', 'payload_memo_mismatch', () => ({ memos: [OTHER_QUOTE] })],
    ['two memos of quotes', 'payload_memo_mismatch', () => ({ memos: [QUOTE.id, OTHER_QUOTE] })],
    [
      'a delegate, whose owner has signed nothing',
      'payload_payer_not_owner',
      () => ({ payer: delegate, source: tokenAccount(shop.payer.publicKey) }),
    ],
    ['a payer without USDC account', 'transaction_simulation_failed', () => ({ payer: stranger2 })],
    [
      'a blockhash that nobody knows',
      'transaction_simulation_failed',
      () => ({ blockhash: USDC.toBase58() }),
    ],
  ])('is refused with %s', async (_, reason, wish) => {
    expect(await verify(version, makePayment(shop, wish()))).toMatchObject({
      ok: false,
      reason: `invalid_exact_svm_${reason}`,
    });
  });

  it('is refused from an account that holds too little, in words', async () => {
    const poor = await shop.chain.wallet({ token: 'USDC', amount: '0.099999' });
    expect(await verify(version, makePayment(shop, { payer: poor }))).toEqual({
      ok: false,
      reason: 'invalid_exact_svm_transaction_simulation_failed',
      detail: 'the paying account holds less than the price',
    });
  });

  it('is refused with a signature of other bytes', async () => {
    const wire = makePayment(shop);
    wire.fill(7, 1 + 64, 1 + 128);
    expect(await verify(version, wire)).toMatchObject({
      reason: 'invalid_exact_svm_payload_signature_invalid',
    });
  });

  it.each<[string, (wire: Uint8Array) => Uint8Array]>([
    ['no transaction', () => new Uint8Array(300).fill(9)],
    ['a cut transaction', (wire) => wire.subarray(0, -1)],
    ['bytes after the transaction', (wire) => Buffer.concat([wire, Buffer.from([0])])],
    // Otherwise one message would have two hashes.
    [
      'a longer form of a count',
      (wire) => Buffer.concat([Buffer.from([0x82, 0]), wire.subarray(1)]),
    ],
  ])('is refused as %s', async (_, change) => {
    expect(await verify(version, change(makePayment(shop)))).toMatchObject({
      reason: 'invalid_exact_svm_payload_transaction_could_not_be_decoded',
    });
  });

  it('is refused with another scheme, and with a payload of another form', async () => {
    expect(await verify(version, makePayment(shop), { scheme: 'upto' })).toMatchObject({
      reason: 'invalid_exact_svm_unsupported_scheme',
    });
    const other = version === 1 ? 2 : 1;
    const paymentPayload = payload(other, makePayment(shop));
    const { quote } = shop;
    for (const form of [paymentPayload, null, 'x', { payload: { transaction: '%' } }])
      expect(await verifyExact({ version, paymentPayload: form, quote }, shop.parts)).toMatchObject(
        { reason: 'invalid_payload' },
      );
  });

  it('costs no call when the bytes alone refuse it, and one when they do not', async () => {
    const calls = () => [...shop.parts.rpc.calls.values()].reduce((sum, n) => sum + n, 0);
    const before = calls();
    await verify(version, makePayment(shop, { amount: 1n }));
    await verify(version, makePayment(shop, { memos: [OTHER_QUOTE] }));
    expect(calls()).toBe(before);
    await verify(version, makePayment(shop));
    expect(calls()).toBe(before + 1);
  });

  it('is neither good nor refused while no node answers', async () => {
    const rpc = createRpc({ urls: ['http://127.0.0.1:1'], timeoutMs: 200 });
    const paymentPayload = payload(version, makePayment(shop));
    await expect(
      verifyExact({ version, paymentPayload, quote: shop.quote }, { ...shop.parts, rpc }),
    ).rejects.toThrow(RpcUnavailable);
  });
});

it('the client’s copy of the offer changes nothing', async () => {
  const wire = makePayment(shop, { amount: 1n, destination: tokenAccount(stranger.publicKey) });
  const accepted = { amount: '1', payTo: stranger.publicKey.toBase58(), extra: {} };
  expect(await verify(2, wire, { accepted })).toMatchObject({
    reason: 'invalid_exact_svm_payload_recipient_mismatch',
  });
});

it('verifying moves nothing', async () => {
  expect(await usdcOf(shop.chain, shop.payTo)).toBe(2n);
});

const stranger2 = Keypair.generate();
const set = <T>(value: T | undefined): T[] => (value === undefined ? [] : [value]);

function openAccount() {
  const { payer, payTo } = shop;
  return createAssociatedTokenAccountIdempotentInstruction(
    payer.publicKey,
    tokenAccount(payTo),
    payTo,
    USDC,
  );
}

function moveSol() {
  return SystemProgram.transfer({
    fromPubkey: shop.payer.publicKey,
    toPubkey: shop.payTo,
    lamports: 1,
  });
}
