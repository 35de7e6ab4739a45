import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { encodeRecorded } from '@/devnet/chain/recorded/encode-recorded';
import { loadRecorded } from '@/devnet/chain/recorded/load-recorded';
import { tokenByMint } from '@quittance/verify/tokens/token-table';
import { readMovements } from '@quittance/verify/chain/read-transfer';
import type { LeftOut } from '@quittance/verify/chain/movements';
import type { Transfer } from '@quittance/verify/chain/transfer';
import {
  normaliseTransaction,
  type NormalTransaction,
} from '@quittance/verify/chain/normalise-transaction';
import { TOKEN, TOKEN_2022 } from '@quittance/verify/chain/programs';
import { rawTransactionSchema } from '@quittance/verify/chain/raw-transaction';
import { changesOf, sumOf } from '../../tests/harness/chain/balance-changes';
import { readRaw } from '../../tests/harness/chain/read-made';

/** Recorded mainnet transactions with answers derived by hand. */
const CORPUS = fileURLToPath(new URL('../../tests/corpus/', import.meta.url));

/** Strict: a field that nothing below compares would be no test. */
const expectedSchema = z.array(
  z.strictObject({
    name: z.string(),
    signature: z.string(),
    encoding: z.string(),
    answer: z.enum(['transfer', 'dominant', 'refuse']),
    what: z.string(),
    tags: z.array(z.string()),
    source: z.string(),
    licence: z.string(),
    corrected: z.string().optional(),
    expected: z.strictObject({
      verdict: z.string(),
      status: z.string(),
      err: z.unknown(),
      blockTime: z.number().nullish(),
      slot: z.number().nullish(),
      version: z.union([z.string(), z.number()]).nullish(),
      fee_payer: z.string(),
      mint: z.string().nullable(),
      symbol: z.string().nullish(),
      decimals: z.number().nullable(),
      raw_received: z.string().nullable(),
      raw_sent: z.string().nullable(),
      payer_owner: z.string().nullable(),
      seller_owner: z.string().nullable(),
      payer_signed: z.boolean().optional(),
      payer_on_curve: z.boolean().nullish(),
      seller_on_curve: z.boolean().nullish(),
      payer_kind: z.enum(['wallet', 'program']).optional(),
      seller_kind: z.enum(['wallet', 'program']).optional(),
      token_program: z.enum(['token', 'token-2022']).nullish(),
      other_legs: z.number().optional(),
      goods: z.number().optional(),
      left_out: z.record(z.string(), z.number()).optional(),
    }),
  }),
);
const json = (file: string): unknown => JSON.parse(readFileSync(`${CORPUS}${file}`, 'utf8'));
const cases = expectedSchema.parse(json('expected.json'));

describe('recorded mainnet transactions', () => {
  it('are all there', () => {
    expect(cases.length).toBeGreaterThanOrEqual(74);
  });

  it.each(cases)('$name: $answer', ({ name, signature, answer, expected }) => {
    const raw = rawTransactionSchema.parse(json(`tx/${name}.json`));
    const tx = normaliseTransaction(raw);
    if (typeof tx === 'string') throw new Error(tx);
    expect(signature).toBe(tx.signature);
    expect(expected.slot ?? raw.slot).toBe(raw.slot);
    expect(expected.fee_payer).toBe(tx.feePayer);
    if (raw.version !== undefined && expected.version !== null)
      expect(expected.version).toBe(raw.version);

    const reading = readRaw(raw);
    if (expected.left_out)
      expect(countReasons(reading.movements?.leftOut ?? [])).toEqual(expected.left_out);
    if (answer === 'refuse') {
      expect(reading.ok).toBe(false);
      const isFailed = !reading.ok && reading.code === 'transaction_failed';
      expect(isFailed).toBe(expected.err !== null);
      expect(isFailed).toBe(expected.status === 'failed');
      return;
    }
    if (!reading.ok) throw new Error(`${reading.code}: ${reading.detail}`);
    const { transfer } = reading;
    expect({
      payer: transfer.payer,
      seller: transfer.seller,
      mint: transfer.mint,
      decimals: transfer.decimals,
      amount: String(transfer.amount),
      amountSent: String(transfer.amountSent),
      feePayer: transfer.feePayer,
      blockTime: transfer.blockTime.getTime() / 1000,
      otherLegs: transfer.otherLegs.length,
      goods: transfer.goods.length,
    }).toEqual({
      payer: expected.payer_owner,
      seller: expected.seller_owner,
      mint: expected.mint,
      decimals: expected.decimals,
      amount: expected.raw_received,
      amountSent: expected.raw_sent,
      feePayer: expected.fee_payer,
      blockTime: expected.blockTime,
      otherLegs: expected.other_legs ?? 'not said',
      goods: expected.goods ?? 0,
    });
    expect(transfer.otherLegs.length > 0).toBe(answer === 'dominant');
    expectParties(expected, transfer, tx);
  });

  it.each(cases)('$name: legs and left-out movements equal the change of every balance', (one) => {
    const raw = rawTransactionSchema.parse(json(`tx/${one.name}.json`));
    const movements = readMovements(raw);
    if ('code' in movements) return expect(one.answer).toBe('refuse');
    // Nodes recorded no owners before November 2021. For those only the sums of each token are
    // known.
    const whole = (raw.meta?.preTokenBalances ?? []).some(({ owner }) => !owner);
    expect(sumOf(movements, { whole })).toEqual(changesOf(raw, { whole }));
  });

  const recorded = [...loadRecorded(`${CORPUS}tx`).values()];
  it.each(recorded.map((one) => [one.line.signature.slice(0, 12), one] as const))(
    '%s… is read alike in json, jsonParsed and base64',
    (_, one) => {
      const [first, ...others] = (['json', 'jsonParsed', 'base64'] as const).map((encoding) =>
        readRaw(
          rawTransactionSchema.parse(JSON.parse(JSON.stringify(encodeRecorded(one, encoding)))),
        ),
      );
      for (const other of others) expect(other).toEqual(first);
    },
  );
});

type Expected = (typeof cases)[number]['expected'];

/** The other expected values of the two parties and the token. */
function expectParties(expected: Expected, transfer: Transfer, tx: NormalTransaction): void {
  const kindOf = (isOnCurve: boolean | null | undefined) =>
    typeof isOnCurve === 'boolean' ? (isOnCurve ? 'wallet' : 'program') : undefined;
  const payerKind = expected.payer_kind ?? kindOf(expected.payer_on_curve);
  const sellerKind = expected.seller_kind ?? kindOf(expected.seller_on_curve);
  if (payerKind) expect(transfer.payerKind).toBe(payerKind);
  if (sellerKind) expect(transfer.sellerKind).toBe(sellerKind);
  if (expected.payer_signed !== undefined)
    expect(tx.signers.has(transfer.payer)).toBe(expected.payer_signed);
  if (expected.token_program)
    expect(transfer.tokenProgram).toBe(expected.token_program === 'token' ? TOKEN : TOKEN_2022);
  // Symbols of tokens outside of our table are the names that others use.
  const known = tokenByMint(transfer.mint, 'mainnet');
  if (known && expected.symbol) expect(known.symbol).toBe(expected.symbol.split(' ')[0]);
}

function countReasons(leftOut: readonly LeftOut[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { reason } of leftOut) counts[reason] = (counts[reason] ?? 0) + 1;
  return counts;
}
