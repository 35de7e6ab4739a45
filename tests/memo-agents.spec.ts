import { getAddMemoInstruction as olderMemo } from '@solana-program/memo';
import { PublicKey, TransactionInstruction } from '@solana/web3.js';
import {
  getAddMemoInstruction as newestMemo,
  LEGACY_MEMO_PROGRAM_ADDRESS_V1,
  MEMO_PROGRAM_ADDRESS,
  SUPPORTED_MEMO_PROGRAM_ADDRESSES,
} from 'newest-memo';
import { beforeAll, describe, expect, it } from 'vitest';
import { MEMO_PROGRAM_IDS, MEMO_PROGRAMS } from '@quittance/verify/chain/programs';
import { sendAll, transfer } from './harness/make-payment';
import { signOffer } from './harness/sign-offer';
import { sharedService } from './harness/shared-service';
import type { TestService } from './harness/start-service';
import { makeSale, mintPaid, offerOf } from './harness/use-payments';
import { awaitStatus, call, mint } from './harness/use-service';

let service: TestService;
beforeAll(async () => {
  service = await sharedService();
});

/** The calls that memo clients of agents make, unchanged. */
type MemoInstruction = { programAddress: string; data: ArrayLike<number> };

const toInstruction = ({ programAddress, data }: MemoInstruction) =>
  new TransactionInstruction({
    programId: new PublicKey(programAddress),
    keys: [],
    data: Buffer.from(Uint8Array.from(data)),
  });

it('the service knows the memo programs that the newest client knows', () => {
  expect(MEMO_PROGRAM_IDS).toEqual(SUPPORTED_MEMO_PROGRAM_ADDRESSES);
  expect(MEMO_PROGRAM_ADDRESS).toBe(MEMO_PROGRAMS.v4);
});

describe('the simplest agent sends USDC with the memo of the offer, repeats its request and gets its receipt', () => {
  it.each<[string, string, (text: string) => MemoInstruction]>([
    ['the newest memo client, unchanged', MEMO_PROGRAMS.v4, (text) => newestMemo({ memo: text })],
    ['an older memo client', MEMO_PROGRAMS.v3, (text) => olderMemo({ memo: text })],
    [
      'the first memo program',
      MEMO_PROGRAMS.v1,
      (text) => newestMemo({ memo: text }, { programAddress: LEGACY_MEMO_PROGRAM_ADDRESS_V1 }),
    ],
  ])('by %s', async (_, program, memoOf) => {
    const { payer, signature } = await makeSale(service);
    const offer = offerOf(await mint(service, { signature }));
    const written = memoOf(offer.memo);
    expect(written.programAddress).toBe(program);
    const payment = await sendAll(
      service,
      [transfer({ from: payer, to: offer.payTo, amount: offer.amount }), toInstruction(written)],
      [payer],
    );
    const bought = await mintPaid(service, { signature, payment });
    expect(bought.status, JSON.stringify(bought.body)).toBe(200);
    const row = await service.prisma.payment.findUnique({ where: { signature: payment } });
    expect(row).toMatchObject({ state: 'used', quoteId: offer.memo, payer: payer.address });
    const id = String(bought.body['receipt_id']);
    await awaitStatus(service, id);
    const receipt = await call(service, `/receipt/${id}`);
    expect(receipt.body).toMatchObject({ tx_signature: signature, reported_by: 'payer' });
  });
});

it.each(['v1', 'v2'] as const)(
  'an x402 %s client that writes memo v4 pays for the quote it names',
  async (version) => {
    const { payer, signature } = await makeSale(service);
    const answer = await mint(service, { signature });
    const headers = await signOffer(service, {
      answer,
      from: payer,
      version,
      memoProgram: 'v4',
    });
    const bought = await mint(service, { signature, headers });
    expect(bought.status, JSON.stringify(bought.body)).toBe(200);
    const rows = await service.prisma.payment.findMany({ where: { payer: payer.address } });
    expect(rows).toMatchObject([{ state: 'used', quoteId: offerOf(answer).memo }]);
  },
);

it('the 402, the docs, /llms.txt and /openapi.json name the memo programs', async () => {
  const { signature } = await makeSale(service);
  const { body } = await mint(service, { signature });
  expect(body).toMatchObject({ quote: { memo_programs: MEMO_PROGRAM_IDS } });
  const read = async (path: string) =>
    (await fetch(new URL(path, service.baseUrl), { headers: { accept: 'text/html' } })).text();
  const texts = [String(body['message'])];
  for (const path of ['/docs', '/llms.txt', '/openapi.json']) texts.push(await read(path));
  for (const text of texts) for (const id of MEMO_PROGRAM_IDS) expect(text).toContain(id);
});
