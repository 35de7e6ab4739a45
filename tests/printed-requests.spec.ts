import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureVerifier } from '@/scripts/ensure-verifier';
import { callRpc } from '@/devnet/client/call-rpc';
import { fundWallet } from '@/devnet/client/fund-wallet';
import { makeWallet } from '@/devnet/client/wallet';
import { parseSecretKey, publicKeyOf } from '@/server/keys';
import { runPrinted } from './harness/documented-commands';
import { sharedService } from './harness/shared-service';
import type { TestService } from './harness/start-service';
import { passSlots } from './harness/use-payments';
import { awaitClosed, freshReceipt, makePair, pay } from './harness/use-service';

let service: TestService;
let dir: string;
beforeAll(async () => {
  service = await sharedService();
  dir = mkdtempSync(join(tmpdir(), 'quittance-printed-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Runs a command in the folder of these tests; gives what it printed. */
async function run(
  command: string,
  o: { values?: Record<string, string>; env?: Record<string, string> } = {},
): Promise<string> {
  const { code, output } = await runPrinted(command, { cwd: dir, ...o });
  expect(code, output).toBe(0);
  return output;
}

/** The JSON object that a command printed, behind what curl says of its progress. */
const bodyIn = (output: string): unknown => JSON.parse(output.slice(output.indexOf('{"')));

describe('the printed requests', () => {
  it('of README.md buys a free receipt', async () => {
    const { payer, seller } = await makePair(service);
    const signature = await pay(service, { from: payer, to: seller, amount: 250_000n });
    const env = { WALLET: payer.address, SIGNATURE: payer.signText(`quittance:${signature}`) };
    const output = await run(
      `curl -X POST http://127.0.0.1:3000/mint -H 'Content-Type: application/json' -H "X-Wallet-Address: $WALLET" -H "X-Wallet-Signature: $SIGNATURE" -d '{"tx_signature":"…","service_type":"API access"}'`,
      { values: { 'http://127.0.0.1:3000': service.baseUrl, '…': signature }, env },
    );
    expect(bodyIn(output)).toMatchObject({ success: true, mint_status: 'pending' });
  });

  it('of docs/statements.md gets an offer', async () => {
    const { payer, seller } = await makePair(service);
    await pay(service, { from: payer, to: seller, amount: 250_000n });
    const year = String(new Date().getUTCFullYear());
    // A statement lists what is final.
    await passSlots(service, 8);
    const output = await run(
      `curl -X POST http://127.0.0.1:3000/statement -H 'Content-Type: application/json' -d '{"wallet_address":"…","period_start":"2026-01-01T00:00:00Z","period_end":"2026-12-31T23:59:59Z","output_formats":["json","csv"]}'`,
      { values: { 'http://127.0.0.1:3000': service.baseUrl, '…': payer.address, 2026: year } },
    );
    // The payment, and the play money of the payer.
    expect(bodyIn(output)).toMatchObject({ error: 'Payment Required', tx_count: 2 });
  });

  it('of the embedded chain gives play money', async () => {
    const wallet = makeWallet().address;
    await run(
      `curl -s localhost:8899/faucet -d '{"wallet":"<address>","sol":1,"token":"USDC","amount":"25"}'`,
      { values: { 'localhost:8899': new URL(service.rpcUrl).host, '<address>': wallet } },
    );
    const held = () => callRpc(service.rpcUrl, 'getBalance', [wallet, { commitment: 'confirmed' }]);
    await expect.poll(held).toMatchObject({ value: 1_000_000_000 });
  });
});

describe('the printed checks', () => {
  let id: string;
  beforeAll(async () => {
    ({ id } = await freshReceipt(service));
    await awaitClosed(service, id);
  });
  const site = () => ({ 'https://…': service.baseUrl });
  const node = () => ({ 'https://api.mainnet-beta.solana.com': service.rpcUrl });

  it('of the second verifier find a receipt genuine', async () => {
    const at = { 'https://receipts.example': service.baseUrl };
    await run('curl -s https://receipts.example/receipt/ABCDEF123456/proof > proof.json', {
      values: { ...at, ABCDEF123456: id },
    });
    await run('curl -s https://receipts.example/.well-known/quittance.json > issuer.json', {
      values: at,
    });
    const script = resolve('docs/verify-independently/verify.py');
    const said = await run(
      'python3 verify.py proof.json issuer.json https://api.mainnet-beta.solana.com',
      { values: { ...node(), 'verify.py': script } },
    );
    expect(said).toMatch(/^genuine$/m);
  });

  it('of quittance-verify install its package and find a receipt genuine', async () => {
    await run('curl -fsSO https://…/.well-known/quittance-verify.tgz', { values: site() });
    const sums = 'curl -fsS https://…/.well-known/quittance-verify.tgz.sha256 | sha256sum -c';
    expect(await run(sums, { values: site() })).toContain('quittance-verify.tgz: OK');
    // The package has no dependencies, so nothing is asked for.
    const env = { npm_config_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' };
    writeFileSync(join(dir, 'package.json'), '{"private":true}');
    const help = await run(
      'npm install ./quittance-verify.tgz && node_modules/.bin/quittance-verify --help',
      { env },
    );
    expect(help).toContain('quittance-verify <proof>');

    await run('curl -fsSO https://…/.well-known/quittance-verify.mjs', { values: site() });
    // Two programs that check a hash: the second one is that of macOS.
    const macos: Record<string, string> = { 'sha256sum -c': 'shasum -a 256 -c' };
    for (const program of [{}, macos])
      expect(
        await run('curl -fsS https://…/.well-known/quittance-verify.sha256 | sha256sum -c', {
          values: { ...site(), ...program },
        }),
      ).toContain('quittance-verify.mjs: OK');
    await run('curl -fsS https://…/receipt/{receipt_id}/proof > receipt.json', {
      values: { ...site(), '{receipt_id}': id },
    });
    await run('curl -fsS https://…/.well-known/quittance.json > quittance.json', {
      values: site(),
    });
    const said = await run(
      'node quittance-verify.mjs receipt.json --issuer quittance.json --rpc https://api.mainnet-beta.solana.com',
      { values: node() },
    );
    expect(said).toContain('Verdict: genuine');
  });

  it('in a clone check the same files', async () => {
    ensureVerifier();
    const clone = mkdtempSync(join(tmpdir(), 'quittance-clone-'));
    for (const name of readdirSync('.')) symlinkSync(resolve(name), join(clone, name));
    for (const name of ['receipt.json', 'quittance.json'])
      symlinkSync(join(dir, name), join(clone, name));
    const { code, output } = await runPrinted(
      'npm run verify -- receipt.json --issuer quittance.json --rpc https://…',
      { cwd: clone, values: { 'https://…': service.rpcUrl } },
    );
    rmSync(clone, { recursive: true });
    expect([code, output]).toEqual([0, expect.stringContaining('Verdict: genuine')]);
  });
});

describe('the printed commands of a first start', () => {
  /** Without `--yes` each prints its price, and spends nothing. */
  const price = (command: string) => runPrinted(command, { env: service.appEnv });

  it.each([
    ['npm run tree:create -- --depth 14 --buffer 64 --canopy 8', 0.337365],
    ['npm run tree:create -- --depth 17 --buffer 64 --canopy 10', 0.722893],
  ])('%s prints what the tree costs', async (command, rent) => {
    const { code, output } = await price(command);
    // The rent that docs/operation/costs.md names, and the fees of its transactions.
    const cost = Number(/^cost +([\d.]+) SOL/m.exec(output)?.[1]);
    expect([code, (cost - rent).toFixed(4)]).toEqual([1, '0.0000']);
    expect(output).toContain('nothing was made: add --yes to spend this');
  });

  it('npm run tree:create -- --collections has nothing to do where the collections are', async () => {
    const { code, output } = await price('npm run tree:create -- --collections');
    expect([code, output]).toEqual([0, expect.stringContaining('nothing to do')]);
  });

  it('npm run storage:fund -- --sol 0.1 prints what it would send', async () => {
    const key = readFileSync(service.appEnv['STORAGE_KEY_FILE'] ?? '', 'utf8');
    const secret = parseSecretKey(key);
    if (!secret) throw new Error('the stack made no key');
    await fundWallet(service.rpcUrl, { wallet: publicKeyOf(secret), sol: 1 });
    await passSlots(service, 8);
    const { code, output } = await price('npm run storage:fund -- --sol 0.1');
    expect([code, output]).toEqual([1, expect.stringContaining('0.1 SOL')]);
    expect(output).toContain('nothing was sent: add --yes to send it');
  });

  it('bounds the statements of the role of a pooler', async () => {
    const printed = "alter role quittance set statement_timeout = '30s'";
    const { prisma } = service;
    const seen = prisma.$transaction(async (tx) => {
      await tx.$executeRawUnsafe('create role quittance');
      await tx.$executeRawUnsafe(printed);
      const rows = await tx.$queryRaw<{ setconfig: string[] }[]>`
        select setconfig from pg_db_role_setting where setrole = 'quittance'::regrole`;
      // The role is not one of this server: the transaction is undone.
      throw new Seen(rows.flatMap(({ setconfig }) => setconfig));
    });
    await expect(seen).rejects.toMatchObject({ settings: ['statement_timeout=30s'] });
  });
});

class Seen extends Error {
  constructor(readonly settings: string[]) {
    super('undone');
  }
}
