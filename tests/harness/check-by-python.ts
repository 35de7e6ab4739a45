import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { z } from 'zod';
import { makeWallet } from '@/devnet/client/wallet';
import { runPythonVerify } from './run-command';
import type { TestService } from './start-service';
import { call } from './use-service';

/** The second verifier, in Python: its verdicts on the genuine proofs, and on some that are forged. */
export async function checkByPython(
  service: TestService,
  o: { id: string; receiptId: string; csv: Uint8Array },
) {
  const issuer = (await call(service, '/.well-known/quittance.json')).body;
  const statement = (await call(service, `/statement/${o.id}/proof`)).body;
  const receipt = (await call(service, `/receipt/${o.receiptId}/proof`)).body;
  const [first, ...others] = rowsOf(statement);
  const text = itemOf(receipt).toString('latin1');
  const bytes = Buffer.from(text.replace('"0.3"', '"0.4"'), 'latin1').toString('base64');
  const cases: [verdict: string, proof: object, issuer: object, csv?: Uint8Array][] = [
    ['genuine', statement, issuer, o.csv],
    ['genuine', receipt, issuer],
    ['not genuine', statement, issuer, Buffer.from(o.csv).subarray(1)],
    ['not genuine', { ...statement, transactions: others }, issuer],
    [
      'not genuine',
      { ...statement, transactions: [{ ...first, amount_raw: '300001' }, ...others] },
      issuer,
    ],
    ['not genuine', { ...receipt, metadata: { ...fileOf(receipt), item: bytes } }, issuer],
    ['not genuine', { ...receipt, tx_signature: first?.tx_signature.slice(1) }, issuer],
    [
      'not genuine',
      { ...receipt, holder: { owner: makeWallet().address, delegate: null } },
      issuer,
    ],
    ['not genuine', receipt, { ...issuer, creators: [] }],
    ['not genuine', receipt, { ...issuer, storage_keys: [] }],
    ['not genuine', receipt, { ...issuer, trees: [] }],
    ['could not be checked', { ...statement, transactions: undefined }, issuer],
    ['could not be checked', { ...receipt, mint_signature: first?.tx_signature.slice(1) }, issuer],
  ];
  const dir = mkdtempSync(join(tmpdir(), 'verify-by-python-'));
  const judge = async ([verdict, proof, keys, csv]: (typeof cases)[number], at: number) => {
    const name = (what: string) => join(dir, `${at}-${what}`);
    writeFileSync(name('proof.json'), JSON.stringify(proof));
    writeFileSync(name('issuer.json'), JSON.stringify(keys));
    writeFileSync(name('list.csv'), csv ?? '');
    const args = [name('proof.json'), name('issuer.json'), service.rpcUrl];
    const ended = await runPythonVerify(dir, csv ? [...args, name('list.csv')] : args);
    expect([ended.code, ended.output], `case ${at}`).toEqual([
      ['genuine', 'not genuine', 'could not be checked'].indexOf(verdict),
      expect.stringMatching(new RegExp(`^${verdict}$`, 'm')),
    ]);
  };
  try {
    await Promise.all(cases.map(judge));
    expect((await runPythonVerify(dir, [])).code).toBe(64);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
const fileOf = (proof: Record<string, unknown>) =>
  z.looseObject({ item: z.base64() }).parse(proof['metadata']);
const itemOf = (proof: Record<string, unknown>) => Buffer.from(fileOf(proof).item, 'base64');
const rowsOf = (proof: Record<string, unknown>) =>
  z.array(z.looseObject({ tx_signature: z.string() })).parse(proof['transactions']);
