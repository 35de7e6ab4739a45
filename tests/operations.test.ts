import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isolatedEnv } from '@/scripts/isolated-env';
import { startService, type TestService } from './harness/start-service';
import { awaitStatus, call, freshReceipt } from './harness/use-service';

let service: TestService;
let dir: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'quittance-operations-'));
  service = await startService();
});
afterAll(async () => {
  await service.close();
  rmSync(dir, { recursive: true, force: true });
});

describe('a receipt is proven to third parties', () => {
  it('by its proof alone, a node and the keys of the issuer, and not by an altered one', async () => {
    const { id } = await freshReceipt(service);
    const early = await call(service, `/receipt/${id}/proof`);
    if (early.status !== 200) expect(early.body['code']).toBe('proof_not_ready');
    await awaitStatus(service, id);
    const { status, body } = await call(service, `/receipt/${id}/proof`);
    expect(status).toBe(200);
    const issuer = (await call(service, '/.well-known/quittance.json')).body;
    const files = { issuer, altered: { ...body, network: 'mainnet' } };
    for (const [name, content] of Object.entries(files))
      writeFileSync(join(dir, `${name}.json`), JSON.stringify(content));
    const trust = ['--issuer', 'issuer.json', '--rpc', service.rpcUrl];
    const [held, altered] = await Promise.all([
      verify([`${service.baseUrl}/receipt/${id}/proof`, '--gateway', service.storageUrl, ...trust]),
      verify(['altered.json', ...trust]),
    ]);
    expect(held.output).toContain('All held.');
    expect(held.code).toBe(0);
    expect(altered.output).toMatch(/FAILED {2}network_stated/);
    expect(altered.code).toBe(1);
  }, 120_000);

  it('with a 404 where there is no such receipt', async () => {
    const answer = await call(service, '/receipt/000000000000/proof');
    expect([answer.status, answer.body['code']]).toEqual([404, 'receipt_not_found']);
  });
});

/** Runs the command in a folder of its own, as somebody without this service would. */
async function verify(args: string[]): Promise<{ code: number; output: string }> {
  const child = spawn(
    process.execPath,
    [join(process.cwd(), 'bin/quittance-verify.mjs'), ...args],
    { cwd: dir, env: { ...process.env, ...isolatedEnv() }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number>((resolve) =>
    child.once('close', (exit) => resolve(exit ?? -1)),
  );
  return { code, output };
}
