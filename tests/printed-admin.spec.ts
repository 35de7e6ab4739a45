import { randomBytes } from 'node:crypto';
import bs58 from 'bs58';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { fundWallet } from '@/devnet/client/fund-wallet';
import { payToken } from '@/devnet/client/pay-token';
import { makeWallet, type Wallet } from '@/devnet/client/wallet';
import { parseOperators } from '@/server/admin-tokens';
import { noteUndecided } from '@/server/chain/undecided-transactions';
import { DESK_TOKEN } from './harness/desk-tokens';
import { runPrinted } from './harness/documented-commands';
import { sharedService } from './harness/shared-service';
import type { TestService } from './harness/start-service';
import { awaitFinalized, payToOf } from './harness/use-ledger';
import { makeSale, offerOf, payOffer } from './harness/use-payments';
import { awaitStatus, call, freshReceipt, mint } from './harness/use-service';

let service: TestService;
beforeAll(async () => {
  service = await sharedService();
});

afterEach(async () => {
  for (const part of ['storage', 'runner'] as const) await service.fault(part, null);
});

/** Runs a command of docs/operation with the settings of the service; gives what it printed. */
async function run(command: string, values: Record<string, string> = {}): Promise<string> {
  const env = { ...service.appEnv, ADMIN_TOKEN: DESK_TOKEN };
  const { code, output } = await runPrinted(command, { values, env });
  expect(code, output).toBe(0);
  return output;
}

const give = async (from: Wallet, to: string, amount: bigint) =>
  awaitFinalized(service, await payToken(service.rpcUrl, { from, to, token: 'USDC', amount }));

it('the printed commands list, show and queue failed mints', async () => {
  await service.fault('storage', { status: { code: 422, times: 50 } });
  const [one, two] = [await freshReceipt(service), await freshReceipt(service)];
  for (const { id } of [one, two]) await awaitStatus(service, id, { wanted: ['failed'] });
  await service.fault('storage', null);

  const listed = await run('npm run admin -- list --status failed');
  expect([listed.includes(one.id), listed.includes(two.id)]).toEqual([true, true]);
  const at = { '<receipt id>': one.id };
  expect(await run('npm run admin -- show <receipt id>', at)).toContain('"tries"');
  expect(await run('npm run admin -- retry <receipt id>', at)).toContain(one.id);
  await awaitStatus(service, one.id);
  expect(await run('npm run admin -- retry-all')).toContain(two.id);
  await awaitStatus(service, two.id);
});

it('the printed commands release a mint that waits, and hide, show and forget personal data', async () => {
  await service.fault('storage', { down: true });
  const { id, owner } = await freshReceipt(service);
  const headers = { authorization: `Bearer ${DESK_TOKEN}` };
  const waiting = async () =>
    JSON.stringify((await call(service, '/admin/held', { headers })).body);
  await expect.poll(waiting, { timeout: 90_000, interval: 300 }).toContain(id);
  expect(await run('npm run admin -- held')).toContain(id);
  const at = { '<receipt id>': id };
  expect(await run('npm run admin -- release <receipt id>', at)).toMatch(
    new RegExp(`"released": \\[\\s*"${id}"`),
  );
  await service.fault('storage', null);

  const hidden = async () => (await call(service, `/receipt/${id}`)).body['labels_hidden'];
  await run('npm run admin -- hide <receipt id> It names a private person', at);
  expect(await hidden()).toBe(true);
  await run('npm run admin -- unhide <receipt id> The claim was withdrawn', at);
  expect(await hidden()).not.toBe(true);
  const where = { payer: owner };
  expect(await service.prisma.payerJurisdiction.count({ where })).toBe(1);
  await run('npm run admin -- forget <wallet>', { '<wallet>': owner });
  expect(await service.prisma.payerJurisdiction.count({ where })).toBe(0);
});

it('the printed commands hold and refund a payment, record a withdrawal and reconcile the books', async () => {
  const { payer, signature } = await makeSale(service);
  const offer = offerOf(await mint(service, { signature }));
  const payment = await awaitFinalized(service, await payOffer(service, { from: payer, offer }));
  const state = async () => (await call(service, `/payments/${payment}`)).body['state'];
  const at = { '<payment>': payment };
  await run('npm run admin -- hold <payment>', at);
  expect(await state()).toBe('in_progress');
  await run('npm run admin -- unhold <payment>', at);
  expect(await state()).not.toBe('in_progress');
  const purse = makeWallet();
  const funds = { wallet: purse.address, sol: 1, token: 'USDC', amount: '1' } as const;
  await fundWallet(service.rpcUrl, funds);
  const refund = await give(purse, payer.address, offer.amount);
  await run('npm run admin -- refunded <payment> <refund>', { ...at, '<refund>': refund });
  expect(await state()).toBe('refunded');
  const story = await run('npm run admin -- payment <signature>', { '<signature>': payment });
  expect(story).toContain(refund);

  const payTo = payToOf(service);
  await fundWallet(service.rpcUrl, { wallet: payTo.address, sol: 1 });
  const out = await give(payTo, purse.address, 10_000n);
  await run('npm run admin -- withdrawal <transaction> <note>', {
    '<transaction>': out,
    '<note>': "'to the bank'",
  });
  const row = { where: { subject: out, action: 'ledger.withdraw' } };
  expect(await service.prisma.auditEntry.findMany(row)).toMatchObject([
    { detail: { note: 'to the bank' } },
  ]);
  expect(await run('npm run admin -- reconcile')).toMatch(/"token": "USDC"/);
});

it('the printed commands list an undecided transaction and close it with the words of the operator', async () => {
  // A mint that has not begun, and waits for its transfer.
  await service.fault('runner', { paused: true });
  const { id } = await freshReceipt(service);
  const signature = bs58.encode(randomBytes(64));
  const one = { signature, kind: 'transfer', subject: id, reason: 'a hole' } as const;
  await noteUndecided(service.prisma, one);
  expect(await run('npm run admin -- undecided')).toContain(signature);
  await run('npm run admin -- close <signature> <what you checked>', {
    '<signature>': signature,
    '<what you checked>': 'two explorers do not know it',
  });
  expect(await run('npm run admin -- undecided')).not.toContain(signature);
  const audit = await service.prisma.auditEntry.findMany({ where: { action: 'undecided.close' } });
  expect(audit).toMatchObject([{ detail: { checked: 'two explorers do not know it' } }]);
});

it('the printed command makes a token for an operator, with the entry of ADMIN_TOKENS', async () => {
  const made = await run('npm run --silent admin -- new-token anna support');
  const [, entry = ''] = /^entry for ADMIN_TOKENS: (.+)$/m.exec(made) ?? [];
  expect(parseOperators(entry)).not.toHaveProperty('fault');
});
