import { expect, it, vi } from 'vitest';
import * as settleClaimedModule from './settle-claimed';
import * as lookForPaymentModule from './look-for-payment';
import * as refusePaymentModule from './refuse-payment';
import * as databaseClockModule from '@/server/db/database-clock';
import * as coolDownModule from '@/server/payments/cool-down';
import * as earlierPaymentModule from './earlier-payment';
import * as quotesModule from '@/server/payments/quotes';
import * as verifyExactModule from '@/server/payments/facilitator/verify-exact';
import { standIn } from '@/tests/harness/stand-in';
import { ServiceError } from '@/server/errors';
import { trusted } from '@/server/trusted';
import type { Call } from '../call';
import type { Purchase } from './purchase';
import { takeExact } from './take-exact';

const claimed = vi.fn(async () => 'busy');
const spent = vi.fn<() => Promise<'payer' | 'all' | null>>();
const refused = vi.fn<() => Promise<Error | null>>(async () => null);
const cooling = vi.fn<() => Promise<boolean>>(async () => false);
standIn(settleClaimedModule, {
  claimTogether: claimed,
});
standIn(lookForPaymentModule, { findKnown: async () => null });
standIn(refusePaymentModule, {
  salesClosed: async () => null,
  settlingRefused: refused,
  paymentDue: async (_ctx: unknown, _purchase: unknown, o: { text: string; reason: string }) =>
    new ServiceError('payment_invalid', o.text, { details: { reason: o.reason } }),
});
standIn(databaseClockModule, { databaseNow: async () => new Date() });
standIn(coolDownModule, { isCoolingDown: cooling, spentFailures: spent });
standIn(earlierPaymentModule, { earlierPayment: async () => null });
standIn(quotesModule, {
  newestQuote: async () => ({ id: 'QT', priceMicros: 1n, payTo: 'till', path: '/mint' }),
});
standIn(verifyExactModule, {
  verifyExact: async () => ({ ok: true, payer: 'V', messageHash: 'hash', wire: new Uint8Array(1) }),
});

const pay = () =>
  takeExact(
    trusted<Call>(
      {
        actor: { kind: 'anyone', id: 'request' },
        service: {
          env: { network: 'local', publicUrl: 'https://q.example', payTo: 'till', limits: null },
          clock: { now: () => new Date() },
          ids: { paymentId: () => 'PAY1' },
        },
      },
      'all that is read of it',
    ),
    trusted<Purchase<unknown>>(
      {
        key: { requestSha256: 'this' },
        mayPay: () => undefined,
        transaction: { signature: 'sale' },
      },
      'all that is called of it',
    ),
    { dialect: 'v2', version: 2, payload: null, messageHash: 'hash', memos: [] },
  );

it('a payment is not signed after too many that failed, and the client is asked to send it itself', async () => {
  for (const whose of ['payer', 'all'] as const) {
    spent.mockResolvedValueOnce(whose);
    await expect(pay()).rejects.toMatchObject({
      message: expect.stringContaining('send the transfer to the chain yourself'),
      details: { reason: 'too_many_failed_payments' },
    });
  }
  expect(claimed).not.toHaveBeenCalled();
  spent.mockResolvedValueOnce(null);
  await expect(pay()).rejects.toMatchObject({ code: 'in_progress' });
  expect(claimed).toHaveBeenCalledTimes(1);
});

it('a payment is not claimed while the service sends none', async () => {
  claimed.mockClear();
  spent.mockResolvedValue(null);
  refused.mockResolvedValueOnce(new ServiceError('payments_unavailable', 'the fee payer'));
  await expect(pay()).rejects.toMatchObject({ code: 'payments_unavailable' });
  expect(claimed).not.toHaveBeenCalled();
  await expect(pay()).rejects.toMatchObject({ code: 'in_progress' });
});

it('a payment is not claimed while its payer has to let another one go first', async () => {
  claimed.mockClear();
  spent.mockResolvedValue(null);
  cooling.mockResolvedValueOnce(true);
  await expect(pay()).rejects.toMatchObject({
    message: expect.stringContaining('send the transfer to the chain yourself'),
    details: { reason: 'another_payer_waits' },
  });
  expect(claimed).not.toHaveBeenCalled();
  expect(cooling).toHaveBeenCalledWith(undefined, { txSignature: 'sale', payer: 'V' });
  await expect(pay()).rejects.toMatchObject({ code: 'in_progress' });
});
