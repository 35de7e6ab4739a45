import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { encodeRecorded } from '@/devnet/chain/recorded/encode-recorded';
import { loadRecorded } from '@/devnet/chain/recorded/load-recorded';
import { interpretTransaction } from './interpret-transaction';
import { rawTransactionSchema } from './raw-transaction';

/** Recorded mainnet transactions with answers derived by hand; not part of the repository. */
const CORPUS = fileURLToPath(new URL('../../../shared/corpus/', import.meta.url));
const isPresent = existsSync(`${CORPUS}expected.json`);
if (!isPresent)
  process.stderr.write('recorded mainnet transactions: left out, ../shared is absent\n');

const expectedSchema = z.array(
  z.object({
    name: z.string(),
    signature: z.string(),
    answer: z.enum(['transfer', 'dominant', 'refuse', 'either']),
    expected: z.object({
      err: z.unknown(),
      blockTime: z.number().nullish(),
      slot: z.number().nullish(),
      fee_payer: z.string(),
      mint: z.string().nullable(),
      decimals: z.number().nullable(),
      raw_received: z.string().nullable(),
      raw_sent: z.string().nullable(),
      payer_owner: z.string().nullable(),
      seller_owner: z.string().nullable(),
    }),
  }),
);
const json = (file: string): unknown => JSON.parse(readFileSync(`${CORPUS}${file}`, 'utf8'));
const cases = isPresent ? expectedSchema.parse(json('expected.json')) : [];

describe.runIf(isPresent)('recorded mainnet transactions', () => {
  it('are all there', () => {
    expect(cases.length).toBeGreaterThanOrEqual(72);
  });

  it.each(cases)('$name: $answer', ({ name, signature, answer, expected }) => {
    const reading = interpretTransaction(rawTransactionSchema.parse(json(`tx/${name}.json`)));
    if (answer === 'either') return;
    if (answer === 'refuse') {
      expect(reading.ok).toBe(false);
      const isFailed = !reading.ok && reading.code === 'transaction_failed';
      expect(isFailed).toBe(expected.err !== null);
      return;
    }
    if (!reading.ok) throw new Error(`${reading.code}: ${reading.detail}`);
    const { transfer } = reading;
    expect({
      signature: transfer.signature,
      payer: transfer.payer,
      seller: transfer.seller,
      mint: transfer.mint ?? 'SOL',
      decimals: transfer.decimals,
      amount: String(transfer.amount),
      amountSent: String(transfer.amountSent),
      feePayer: transfer.feePayer,
      blockTime: transfer.blockTime.getTime() / 1000,
      slot: Number(transfer.slot),
    }).toEqual({
      signature,
      payer: expected.payer_owner,
      seller: expected.seller_owner,
      mint: expected.mint ?? 'SOL',
      decimals: expected.decimals,
      amount: expected.raw_received,
      amountSent: expected.raw_sent,
      feePayer: expected.fee_payer,
      blockTime: expected.blockTime,
      slot: expected.slot,
    });
    expect(transfer.otherLegs.length > 0).toBe(answer === 'dominant');
  });

  const recorded = isPresent ? [...loadRecorded(`${CORPUS}tx`).values()] : [];
  it.each(recorded.map((one) => [one.line.signature.slice(0, 12), one] as const))(
    '%s… is read alike in json, jsonParsed and base64',
    (_, one) => {
      const [first, ...others] = (['json', 'jsonParsed', 'base64'] as const).map((encoding) =>
        interpretTransaction(
          rawTransactionSchema.parse(JSON.parse(JSON.stringify(encodeRecorded(one, encoding)))),
        ),
      );
      for (const other of others) expect(other).toEqual(first);
    },
  );
});
