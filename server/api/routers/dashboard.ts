import { z } from 'zod';
import { setPrivateLabel } from '@/server/dashboard/page-rows';
import { findReceipt } from '@/server/receipts/find-receipt';
import { findRegistration } from '@/server/registrations/registrations';
import {
  attentionBody,
  countriesBody,
  countriesInput,
  csvInput,
  labelInput,
  receiptInput,
  rowsBody,
  rowsInput,
  totalsBody,
  totalsInput,
  walletInput,
} from '@/server/use-cases/dashboard/schemas';
import { roleOf } from '@/server/use-cases/prove-wallet';
import { callOfSession } from '../request-context';
import { requireSameWallet, requireSession } from '../require-caller';
import { registrationBody } from '@/server/use-cases/registrations/schemas';
import { mintStatusBody } from '@/server/use-cases/receipts/schemas';
import { presentMintStatus } from '@/server/use-cases/receipts/present-receipt';
import { procedure, router } from '../trpc';
import { listDashboard } from '@/server/use-cases/dashboard/list-dashboard';
import {
  readAttention,
  totalCountries,
  totalDashboard,
} from '@/server/use-cases/dashboard/total-dashboard';
import { presentRegistration } from '@/server/use-cases/registrations/register-seller';
import { retryFailedMint } from '@/server/use-cases/receipts/mint-status';
import { writeDashboardCsv } from '@/server/use-cases/dashboard/write-dashboard-csv';

/** For a wallet that is signed in, about its own receipts. */
const signedIn = procedure.use(async ({ ctx, next }) =>
  next({ ctx: { ...ctx, session: await requireSession(ctx) } }),
);

/** The same for a page, which names the wallet that it shows. */
const own = signedIn.input(walletInput.strip()).use(({ ctx, input, next }) => {
  requireSameWallet(ctx.session, input.wallet);
  return next();
});

export const dashboardRouter = router({
  rows: own
    .input(rowsInput)
    .output(rowsBody)
    .query(({ ctx, input }) => listDashboard(callOfSession(ctx, input))),
  totals: own
    .input(totalsInput)
    .output(totalsBody)
    .query(({ ctx, input }) => totalDashboard(callOfSession(ctx, input))),
  countries: own
    .input(countriesInput)
    .output(countriesBody)
    .query(({ ctx, input }) => totalCountries(callOfSession(ctx, input))),
  attention: own
    .input(walletInput)
    .output(attentionBody)
    .query(({ ctx }) => readAttention(callOfSession(ctx, null))),
  registration: own
    .input(walletInput)
    .output(registrationBody.nullable())
    .query(async ({ ctx }) => {
      const found = await findRegistration(ctx.service.db, ctx.session.wallet);
      return found && presentRegistration(found);
    }),
  setLabel: own
    .input(labelInput)
    .output(z.null())
    .mutation(async ({ ctx, input }) => {
      const { db, clock } = ctx.service;
      const { receipt } = await findReceipt(db, input.receipt_id);
      const { wallet } = ctx.session;
      roleOf(wallet, receipt);
      const { label } = input;
      await setPrivateLabel(db, { wallet, receiptId: receipt.id, label, now: clock.now() });
      return null;
    }),
  /** Queues a failed receipt again, at most once an hour. */
  retry: own
    .input(receiptInput)
    .output(mintStatusBody)
    .mutation(async ({ ctx, input }) => {
      const found = await findReceipt(ctx.service.db, input.receipt_id);
      roleOf(ctx.session.wallet, found.receipt);
      return presentMintStatus(await retryFailedMint(callOfSession(ctx, input), found.mint));
    }),
  /** Pieces of a file, for the transport that can send a stream. */
  csv: signedIn.input(csvInput).query(({ ctx, input }) => {
    if (input.wallet !== undefined) requireSameWallet(ctx.session, input.wallet);
    return writeDashboardCsv(callOfSession(ctx, input));
  }),
});
