import { createTranslator } from 'next-intl';
import { describe, expect, it } from 'vitest';
import type { ReceiptBody } from '@/server/use-cases/receipts/schemas';
import reasons from '@/messages/en/reasons.json';
import texts from '@/messages/en/receipt.json';
import { leftOutWords, skippedWords } from '../reason-words';
import { besideGroups } from './beside-groups';

const [PAYER, SHOP, MARKET] = ['Payer', 'Shop', 'Market'];
const usdc = (amount_raw: string) => ({
  token: 'USDC',
  mint: 'USDC mint',
  decimals: 6,
  amount: Number(amount_raw) / 1e6,
  amount_raw,
});
const sol = (amount_raw: string) => ({
  token: 'SOL',
  mint: null,
  decimals: 9,
  amount: Number(amount_raw) / 1e9,
  amount_raw,
});

function receipt(o: Partial<ReceiptBody> = {}): ReceiptBody {
  return {
    success: true,
    receipt_id: 'L00000000001',
    mint_status: 'completed',
    attempts: 0,
    last_error: null,
    tx_signature: 'tx',
    payer: PAYER,
    seller: SHOP,
    ...usdc('8500000'),
    asset_name: 'USDC',
    dtif_code: null,
    usd_amount: 8.5,
    usd_amount_raw: '8500000',
    valuation: 'par',
    valuation_source: null,
    fee_withheld: 0,
    fee_withheld_raw: '0',
    other_legs: [],
    slot: 1,
    block_time: '2026-01-31T12:00:00.000Z',
    service_type: 'x',
    transaction_type: null,
    invoice_id: null,
    reported_by: 'payer',
    labels_hidden: false,
    mint_signature: null,
    metadata_uri: 'https://x.example/m',
    image_uri: 'https://x.example/i',
    asset_id: null,
    tree: null,
    leaf_index: null,
    created_at: '2026-01-31T12:00:00.000Z',
    ...o,
  };
}
const t = createTranslator({ locale: 'en', messages: { reasons }, namespace: 'reasons' });
const brief = (o: Partial<ReceiptBody>) =>
  besideGroups(receipt(o)).map((group) => [
    group.kind === 'leftOut' ? leftOutWords(t, group.reason) : texts.beside[group.kind],
    ...group.lines.map(({ raw, token, from, to }) => [raw, token, from, to]),
  ]);

describe('the other movements of a receipt’s transaction', () => {
  it('are empty when the transaction moved nothing else, and on older receipts', () => {
    expect(brief({})).toEqual([]);
    expect(brief({ goods: [], change: [], paid_with: [], left_out: [] })).toEqual([]);
  });

  it('are every other leg, the goods, the exchange’s part, the change and the withheld fee', () => {
    const nft = { token: 'NFT', mint: 'NFT', decimals: 0, amount: 1, amount_raw: '1' };
    expect(
      brief({
        other_legs: [{ owner: MARKET, ...usdc('1500000') }],
        goods: [nft],
        paid_with: [{ owner: PAYER, ...sol('70000000') }],
        change: [{ owner: PAYER, ...usdc('20000') }],
        fee_withheld_raw: '32000',
      }),
    ).toEqual([
      ['Also paid', [1_500_000n, 'USDC', null, MARKET]],
      ['Goods received', [1n, 'NFT', null, null]],
      ['Paid through an exchange', [70_000_000n, 'SOL', PAYER, null]],
      ['Change returned', [20_000n, 'USDC', null, PAYER]],
      ['Withheld by the token', [32_000n, 'USDC', null, null]],
    ]);
  });

  it('are each fee, rent and tip by its reason; equal ones are added up, different ones are not', () => {
    const of = (reason: string, raw: string, from: string | null, to: string | null = null) => ({
      reason,
      from,
      to,
      account: raw,
      ...sol(raw),
    });
    expect(
      brief({
        left_out: [
          of('network_fee', '5000', PAYER),
          of('rent_opened', '2039280', PAYER),
          of('tip', '10000', PAYER, MARKET),
          of('rent_opened', '2039281', PAYER),
          of('rent_opened', '890880', SHOP),
        ],
      }),
    ).toEqual([
      ['Network fee', [5000n, 'SOL', PAYER, null]],
      ['Rent for a new account', [4_078_561n, 'SOL', PAYER, null], [890_880n, 'SOL', SHOP, null]],
      ['Tip to a validator or relay', [10_000n, 'SOL', PAYER, MARKET]],
    ]);
  });
});

it('include an unknown reason in its API form', () => {
  expect(leftOutWords(t, 'brand_new')).toBe('Brand new');
  expect(skippedWords(t, 'below_min_usd')).toBe('Below the smallest amount listed');
  expect(skippedWords(t, 'brand_new')).toBe('Brand new');
});
