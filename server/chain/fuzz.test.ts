import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { interpretTransaction } from '@quittance/verify/chain/read-transfer';
import {
  ASSOCIATED_TOKEN,
  MEMO_PROGRAM_IDS,
  SYSTEM,
  TOKEN,
  TOKEN_2022,
  WRAPPED_SOL,
} from '@quittance/verify/chain/programs';
import type { RawTransaction } from '@quittance/verify/chain/raw-transaction';
import { MadeTransaction, named } from '../../tests/harness/chain/made-transaction';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Every kind of value that the reader reads, as a starting point for damage. */
const seed: unknown = JSON.parse(
  JSON.stringify(
    new MadeTransaction({ feePayer: 'payer', signers: ['other'] })
      .account('from', { owner: 'payer', amount: 10n })
      .account('wrapped', { mint: WRAPPED_SOL, owner: 'payer', amount: 10n })
      .open('to', { owner: 'seller', payer: 'payer' })
      .memo('hello')
      .send('from', 'to', 5n, { authority: 'payer', by: 'program', extra: ['reference'] })
      .sendSol('payer', 'third', 9n)
      .handOver('to', 'seller', 'other')
      .close('wrapped', 'other', 'payer')
      .raw(),
  ),
);

const parsedInstruction = fc.record({
  programId: fc.constantFrom(SYSTEM, TOKEN, TOKEN_2022, ASSOCIATED_TOKEN, ...MEMO_PROGRAM_IDS),
  parsed: fc.oneof(
    fc.string(),
    fc.record({
      type: fc.constantFrom('transfer', 'transferChecked', 'createAccount', 'closeAccount', 'burn'),
      info: fc.oneof(
        fc.jsonValue(),
        fc.dictionary(
          fc.constantFrom(
            'source',
            'destination',
            'amount',
            'lamports',
            'account',
            'signers',
            'space',
          ),
          fc.oneof(fc.constant(named('payer')), fc.constant(named('to')), fc.jsonValue()),
        ),
      ),
    }),
  ),
});
const junk = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>('', -1, 1e21, 2 ** 60, '18446744073709551615', named('from'), TOKEN),
  parsedInstruction,
);

/** Puts `value` at the place that a walk by `path` over the JSON ends at. */
function damage(json: Json, path: number[], value: Json): Json {
  const [step, ...rest] = path;
  if (step === undefined || typeof json !== 'object' || json === null) return value;
  if (Array.isArray(json)) {
    const copy = [...json];
    copy[json.length === 0 ? 0 : step % json.length] = damage(
      copy[step % json.length] ?? null,
      rest,
      value,
    );
    return copy;
  }
  const keys = Object.keys(json);
  const key = keys[step % Math.max(1, keys.length)];
  return key === undefined ? value : { ...json, [key]: damage(json[key] ?? null, rest, value) };
}

describe('a damaged answer of a node', () => {
  it('never makes the reader throw', () => {
    const path = fc.array(fc.nat(40), { minLength: 1, maxLength: 7 });
    fc.assert(
      fc.property(fc.array(fc.tuple(path, junk), { minLength: 1, maxLength: 4 }), (wounds) => {
        const damaged = wounds.reduce(
          (json, [where, value]) => damage(json, where, value as Json),
          seed as Json,
        );
        const reading = interpretTransaction(damaged as RawTransaction, { network: 'mainnet' });
        expect(typeof reading.ok).toBe('boolean');
        if (reading.ok) expect(reading.transfer.amount).toBeGreaterThan(0n);
      }),
      { numRuns: 1_500 },
    );
  });

  it('never makes the reader throw when the wire bytes are damaged', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.nat(3), (bytes, signatures) => {
        const wire = Buffer.concat([Buffer.from([signatures]), Buffer.from(bytes)]);
        const raw = {
          ...(seed as RawTransaction),
          transaction: [wire.toString('base64'), 'base64'],
        };
        expect(interpretTransaction(raw as RawTransaction, { network: 'mainnet' }).ok).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });
});
