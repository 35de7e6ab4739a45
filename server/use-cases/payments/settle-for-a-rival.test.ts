import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import * as settleExactModule from '@/server/payments/facilitator/settle-exact';
import { standIn } from '@/tests/harness/stand-in';
import { claimPayment } from '@/server/payments/claim-payment';
import { prolongReservation, reserveTransaction } from '@/server/receipts/reserve-transaction';
import { trusted } from '@/server/trusted';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import type { Call } from '../call';
import type { Purchase } from './purchase';
import { settleClaimed } from './settle-claimed';

const SIGNED = { signature: 'sig', wire: new Uint8Array(3), lastValidBlockHeight: 9n };
const settleExact = vi.fn(async () => ({ state: 'settled', slot: 5n }));
standIn(settleExactModule, {
  signExact: async () => SIGNED,
  settleExact,
});

const START = Date.UTC(2026, 10, 28, 12);
const at = (ms: number) => new Date(START + ms);
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

it('a payer who lost the reservation before sending is not charged, and one who kept it is', async () => {
  const db = database.prisma;
  const call = trusted<Call>(
    { service: { db, clock: { now: () => at(60_000) } } },
    'settling reads no more of it',
  );
  for (const [txSignature, rival] of [
    ['lost', true],
    ['kept', false],
  ] as const) {
    const claim = await claimPayment(db, {
      id: `PAY ${txSignature}`,
      dialect: 'v2',
      name: { messageHash: txSignature },
      payer: 'payer',
      payTo: 'till',
      amountMicros: 1n,
      priceMicros: 1n,
      quoteId: null,
      requestSha256: 'this',
      slot: null,
      blockTime: null,
      holder: 'request',
      now: at(0),
    });
    if (!claim) throw new Error('the payment was not claimed');
    const wish = { txSignature, now: at(0), leaseMs: 30_000 };
    const reserved = await reserveTransaction(db, { ...wish, holder: claim.id });
    // The lease of both is over by the time it is signed; a rival came for one of them.
    if (rival) await reserveTransaction(db, { txSignature, holder: 'rival', now: at(40_000) });
    const purchase = trusted<Purchase<unknown>>(
      {
        keepReserved: (tx: typeof db, holder: string) =>
          prolongReservation(tx, holder, at(200_000)),
        unreserve: async () => undefined,
      },
      'settling calls no more of it',
    );
    const settling = settleClaimed(call, purchase, {
      claim,
      reserved,
      wire: SIGNED.wire,
      presented: {
        dialect: 'v2',
        version: 2,
        payload: null,
        messageHash: txSignature,
        memos: [],
      },
    });
    if (rival) await expect(settling).rejects.toMatchObject({ code: 'in_progress' });
    else expect(await settling).toBe('sig');
    expect(settleExact).toHaveBeenCalledTimes(rival ? 0 : 1);
    expect(await db.payment.count({ where: { id: claim.id } })).toBe(rival ? 0 : 1);
  }
});
