import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { countNfts } from './harness/count-nfts';
import { endLeases } from './harness/end-leases';
import { hurrySweeps } from './harness/hurry-sweeps';
import { insist } from './harness/insist';
import { lockReceipts } from './harness/lock-receipts';
import { tokenBalance } from './harness/make-payment';
import { signOffer } from './harness/sign-offer';
import { startService, type TestService } from './harness/start-service';
import { makeSale, offerOf, payOffer, type Sale } from './harness/use-payments';
import { awaitStatus, mint, type Answer } from './harness/use-service';

/**
 * Each case holds a paid request at one step, kills the app with SIGKILL there and starts it again.
 * It repeats the request once, like a client. Then it reads chain and database.
 */
type Dialect = 'documented' | 'v1' | 'v2';
type Place = {
  name: string;
  dialects: Dialect[];
  /** State of the payment in the ledger at the moment of the kill. null: not recorded yet. */
  state: string | null;
  hold(): Promise<() => Promise<void>>;
  headers?: Record<string, string>;
};

let service: TestService;

beforeAll(async () => {
  // Slots are long enough that a restart does not outlast the life of a blockhash.
  service = await startService({ env: { DEVNET_SLOT_MS: '300', DEVNET_FINALITY_SLOTS: '2' } });
});
afterAll(() => service.close());
afterEach(() => service.fault('chain', null));

const slow = (method: string) => async () => {
  await service.fault('chain', { delayMs: { [method]: 4_000 } });
  return () => service.fault('chain', null);
};

/** After the verification, v1 and v2 share one path. */
const EXACT: Dialect[] = ['v2'];
const ALL: Dialect[] = ['documented', ...EXACT];
const PLACES: Place[] = [
  {
    name: 'during its verification',
    dialects: EXACT,
    state: null,
    hold: slow('simulateTransaction'),
  },
  { name: 'after the claim', dialects: EXACT, state: 'claimed', hold: slow('getLatestBlockhash') },
  { name: 'before it is sent', dialects: EXACT, state: 'sent', hold: slow('sendTransaction') },
  {
    name: 'while it settles',
    dialects: ['v1', 'v2'],
    state: 'sent',
    hold: slow('getSignatureStatuses'),
  },
  {
    name: 'before the receipt is written',
    dialects: ALL,
    state: 'settled',
    hold: () => lockReceipts(service),
  },
  {
    name: 'before the answer',
    dialects: ALL,
    state: 'used',
    hold: async () => async () => undefined,
    headers: { prefer: 'wait=30' },
  },
];

async function headersOf(dialect: Dialect, answer: Answer, { payer }: Sale) {
  if (dialect !== 'documented')
    return signOffer(service, { answer, from: payer, version: dialect });
  return { 'x-payment': await payOffer(service, { from: payer, offer: offerOf(answer) }) };
}

/** A sale with an offer of its receipt, its payment, and what the service had recorded before. */
async function readySale(dialect: Dialect) {
  const sale = await makeSale(service);
  const answer = await mint(service, { signature: sale.signature });
  const { payTo } = offerOf(answer);
  const before = await tokenBalance(service, payTo);
  return { sale, payTo, before, headers: await headersOf(dialect, answer, sale) };
}

const rowsOf = (payer: string) => service.prisma.payment.findMany({ where: { payer } });

/**
 * Waits until the request is held. Throws when it was not, so that no case passes without a kill.
 */
async function inside(payer: string, place: Place): Promise<void> {
  const deadline = Date.now() + 90_000;
  while (Date.now() < deadline) {
    const [row] = await rowsOf(payer);
    if ((row?.state ?? null) === place.state) {
      // Long enough that the request is inside the slow call, and shorter than that call.
      await sleep(place.state === 'used' ? 0 : 500);
      const [later] = await rowsOf(payer);
      if ((later?.state ?? null) === place.state) return;
    }
    await sleep(20);
  }
  throw new Error(`the request was never seen ${place.name}`);
}

async function awaitSent(payer: string): Promise<void> {
  const state = async () => (await rowsOf(payer))[0]?.state;
  await expect.poll(state, { interval: 20 }).toBe('sent');
}

/** Repeats a request until a process answers with something other than "come back later". */
function repeatUntilAnswered(ask: () => Promise<Answer>): Promise<Answer> {
  return insist('the repeat', 90_000, async () => {
    const answer = await ask();
    if (answer.status !== 503) return answer;
    throw new Error(JSON.stringify(answer.body));
  });
}

describe.each(PLACES)('kill -9 $name', (place) => {
  it.each(place.dialects)(
    'of a payment by %s: charged once, one receipt, and the repeat gets it',
    async (dialect) => {
      const { sale, payTo, before, headers } = await readySale(dialect);
      const { payer, signature } = sale;
      const release = await place.hold();
      const lost = mint(service, { signature, headers: { ...headers, ...place.headers } }).then(
        ({ status }) => status,
        () => 'no answer',
      );
      await inside(payer.address, place);
      await service.app.kill();
      expect(await lost).toBe('no answer');
      await release();
      // In one case the dead process still holds leases, so the sweep has to wait for their end.
      await endLeases(service, { inMs: dialect === 'v1' ? 9_000 : 0 });
      await service.app.start();

      const repeat = await repeatUntilAnswered(() => mint(service, { signature, headers }));
      expect(repeat.status, JSON.stringify(repeat.body)).toBe(200);
      const id = String(repeat.body['receipt_id']);
      expect((await tokenBalance(service, payTo)) - before).toBe(100_000n);
      expect(await rowsOf(payer.address)).toMatchObject([{ state: 'used', subjectId: id }]);
      const live = { txSignature: signature, releasedAt: null };
      expect(await service.prisma.receipt.findMany({ where: live })).toMatchObject([{ id }]);
      expect(await service.prisma.reservation.count({ where: { txSignature: signature } })).toBe(0);
      // The event may have died with the process. The sweep repeats it two minutes later than this
      // test waits.
      await hurrySweeps(service);
      await awaitStatus(service, id, { timeoutMs: 90_000 });
      expect(await countNfts(service.rpcUrl, payer.address)).toBe(1);
    },
  );
});

describe('a payment whose client never comes back', () => {
  it('is found by the sweep: settled once, unused, and pays for its request instead of another payment', async () => {
    const { sale, payTo, before, headers } = await readySale('v2');
    const { payer, signature } = sale;
    const release = await slow('sendTransaction')();
    void mint(service, { signature, headers }).catch(() => undefined);
    await awaitSent(payer.address);
    await service.app.kill();
    await release();
    await endLeases(service);
    await service.app.start();
    // A sweep that comes before the payment is final leaves it to the next one.
    await expect
      .poll(async () => {
        await hurrySweeps(service);
        return (await rowsOf(payer.address))[0]?.state;
      })
      .toBe('unused');
    expect(await service.prisma.reservation.count({ where: { txSignature: signature } })).toBe(0);
    expect((await tokenBalance(service, payTo)) - before).toBe(100_000n);
    // A client that lost its payment signs another one. The first pays, and this one is not
    // settled.
    const retried = await headersOf('v2', await mint(service, { signature }), sale);
    const repeat = await mint(service, { signature, headers: retried });
    expect(repeat.status, JSON.stringify(repeat.body)).toBe(200);
    expect(await rowsOf(payer.address)).toMatchObject([{ state: 'used' }]);
    expect((await tokenBalance(service, payTo)) - before).toBe(100_000n);
  });
});

describe('two requests with one payment, the first of which outlasts its lease', () => {
  it('do not wait for each other: one receipt, one charge, and no error except "come back later"', async () => {
    const { sale, payTo, before, headers } = await readySale('v2');
    const { payer, signature } = sale;
    const isSeen = await slow('getSignatureStatuses')();
    const ask = () => mint(service, { signature, headers });
    const first = ask();
    await awaitSent(payer.address);
    await endLeases(service);
    const release = await lockReceipts(service);
    await isSeen();
    await expect.poll(() => waitingForLocks()).toBe(1);
    const second = ask();
    await expect.poll(() => waitingForLocks()).toBe(2);
    await release();
    const statuses = [(await first).status, (await second).status];
    expect(statuses[0]).toBe(200);
    expect([200, 503]).toContain(statuses[1]);
    expect((await repeatUntilAnswered(ask)).status).toBe(200);
    expect((await tokenBalance(service, payTo)) - before).toBe(100_000n);
    expect(await service.prisma.receipt.count({ where: { txSignature: signature } })).toBe(1);
  });
});

/** Statements on this database that wait for a lock of another session. */
async function waitingForLocks(): Promise<number> {
  const rows = await service.prisma.$queryRaw<{ pid: number }[]>`
    select distinct pid from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`;
  return rows.length;
}
