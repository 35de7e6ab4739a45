import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { childEnv } from '@/scripts/environment';
import { countNfts } from './harness/count-nfts';
import {
  debianPostgres,
  startDebianPostgres,
  type DebianPostgres,
} from './harness/debian-postgres';
import { documentedBlocks, runBlock } from './harness/documented-commands';
import { restartChanged } from './harness/start-app';
import { startService, type TestService } from './harness/start-service';
import { makeSale, offerOf, payOffer } from './harness/use-payments';
import { awaitStatus, call, freshReceipt, mint } from './harness/use-service';

const bin = debianPostgres();
if (bin === null) process.stdout.write('left out: no PostgreSQL of Debian, the restore drill\n');
const blocksBelow = (heading: string) => documentedBlocks('docs/operation/backups.md', heading);
const [backUp = ''] = blocksBelow('## Make a backup');
const [putBack = '', bringBack = ''] = blocksBelow('## Restore a backup');

let server: DebianPostgres;
let service: TestService;
let dir: string;
let changed: Awaited<ReturnType<typeof restartChanged>> | undefined;

describe.skipIf(bin === null)('the restore drill of docs/operation/backups.md', () => {
  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'quittance-drill-'));
    server = await startDebianPostgres(bin ?? '');
    await query('postgres', 'create database first');
    service = await startService({ env: { DATABASE_URL: server.url('first') } });
  }, 480_000);
  afterAll(async () => {
    await changed?.stop();
    await service.close();
    await server.close();
    rmSync(dir, { recursive: true, force: true });
  });

  it('restores, by its own commands, everything sold and minted after the backup', async () => {
    const kept = await freshReceipt(service);
    await awaitStatus(service, kept.id);
    await awaitClosed(kept.id);
    run(backUp, { BACKUPS: dir });
    const [name = ''] = readdirSync(dir);
    expect(name).toMatch(/^quittance-.*\.dump$/);

    // After the backup: a free receipt and a paid one.
    const free = await freshReceipt(service);
    const sale = await makeSale(service);
    const offer = await mint(service, { signature: sale.signature });
    const payment = await payOffer(service, { from: sale.payer, offer: offerOf(offer) });
    const headers = { 'x-payment': payment };
    const bought = await mint(service, { signature: sale.signature, headers });
    expect(bought.status, JSON.stringify(bought.body)).toBe(200);
    const paid = String(bought.body['receipt_id']);
    for (const id of [free.id, paid]) {
      await awaitStatus(service, id);
      await awaitClosed(id);
    }
    const before = await read([kept.id, free.id, paid]);

    await service.app.kill();
    const at = { SERVER: server.url('').replace(/\/$/, ''), NAME: 'second' };
    const second = server.url('second');
    run(putBack, { ...at, BACKUP: join(dir, name), DATABASE_URL: second });
    changed = await restartChanged(service, { DATABASE_URL: second, RESTORE: 'drill' });

    // Reads continue with the data of the backup, and nothing is sold.
    expect((await call(changed, `/receipt/${kept.id}`)).status).toBe(200);
    expect((await call(changed, `/receipt/${paid}`)).status).toBe(404);
    const early = await mint(changed, { signature: sale.signature, headers });
    expect([early.status, early.body['code']]).toEqual([503, 'paused']);
    const { status, body } = await call(changed, '/health');
    expect([status, body['status']]).toEqual([200, 'degraded']);
    expect(body['parts']).toMatchObject({
      payments: { ok: false, detail: 'closed: the database was restored and is not rebuilt yet' },
    });

    const said = run(bringBack, { ...changed.appEnv, ADMIN_TOKEN: '' });
    expect(said).toContain('2 receipts, 1 used and 0 unused payments were restored');
    expect(await read([kept.id, free.id, paid])).toEqual(before);
    // Each process asks the database every two seconds whether the rebuild has ended.
    const goesOn = async () => {
      const { status, body } = await mint(changed ?? service, {
        signature: sale.signature,
        headers,
      });
      return [status, body['receipt_id'] ?? body['code']];
    };
    await expect.poll(goesOn).toEqual([409, paid]);
    for (const wallet of [kept.owner, free.owner, sale.payer.address])
      expect(await countNfts(service.rpcUrl, wallet)).toBe(1);
    const [row] = await query('second', `select state, subject_id from payments`);
    expect(row).toEqual({ state: 'used', subject_id: paid });
  }, 480_000);
});

/** Runs a block of the document with the service's settings and Debian's client programs. */
function run(block: string, env: Record<string, string>): string {
  expect(block).not.toBe('');
  const path = [bin, childEnv({})['PATH'] ?? ''].join(delimiter);
  return runBlock(block, { ...service.appEnv, PATH: path, ...env });
}

async function read(ids: readonly string[]): Promise<unknown[]> {
  const answers = await Promise.all(ids.map((id) => call(changed ?? service, `/receipt/${id}`)));
  return answers.map(({ body }) => body);
}

async function awaitClosed(id: string): Promise<void> {
  const stage = async () => (await query('first', `select stage from mints where id = '${id}'`))[0];
  await expect.poll(stage, { timeout: 90_000, interval: 300 }).toEqual({ stage: 'closed' });
}

async function query(database: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: server.url(database) });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
