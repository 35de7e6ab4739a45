import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runPage, runVerify } from './run-command';
import type { TestService } from './start-service';
import { awaitStatus, call, freshReceipt } from './use-service';

/** Tests of the proof of a receipt, for any file that has a service and a folder to write into. */
export function describeProofOf(running: () => { service: TestService; dir: string }): void {
  describe('a receipt is proven to third parties', () => {
    it('by its proof alone, a node and the keys of the issuer, and not by an altered one', async () => {
      const { service, dir } = running();
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
        runVerify(dir, [
          `${service.baseUrl}/receipt/${id}/proof`,
          '--gateway',
          service.storageUrl,
          '--redraw',
          ...trust,
        ]),
        runVerify(dir, ['altered.json', ...trust]),
      ]);
      expect(held.output).toContain('Verdict: genuine');
      expect(held.output).toMatch(/held +picture_redrawn /);
      expect(held.code).toBe(0);
      expect(altered.output).toMatch(/failed {3}network_stated/);
      expect(altered.code).toBe(1);

      expect(await runPage(service, { dir, receiptId: id })).toMatch(
        /quittance-verify.mjs: OK\n[^]*Verdict: genuine\n$/,
      );
      const [gateway, offline] = [service.storageUrl, ['--issuer', 'issuer.json', '--rpc', 'none']];
      for (const [args, code, output] of [
        [['--unique', '--gateway', gateway, '--save', 'answers', ...trust], 0, /held +only_one /],
        [['--rpcc', 'x'], 64, /--rpcc/],
        [[...offline, '--files', 'answers'], 0, /held +holder_now /],
        [offline, 2, /held +metadata_by_template [^]*unknown +minted /],
      ] as const)
        expect(await runVerify(dir, ['receipt.json', ...args])).toEqual({
          code,
          output: expect.stringMatching(output),
        });
    }, 480_000);

    it('with a 404 if there is no such receipt', async () => {
      const answer = await call(running().service, '/receipt/000000000000/proof');
      expect([answer.status, answer.body['code']]).toEqual([404, 'receipt_not_found']);
    });
  });
}
