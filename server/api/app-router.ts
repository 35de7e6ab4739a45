import { issuerDocument } from '@quittance/verify/receipts/issuer-document';
import { callOf } from './request-context';
import { describeFile } from '@/server/exports/export-format';
import { exportReceipts } from '@/server/exports/export-receipts';
import { readPayment, readPricing } from '@/server/use-cases/payments/read-payment';
import { paymentBody, paymentInput, pricingBody } from '@/server/use-cases/payments/schemas';
import { readIssuer } from '@/server/use-cases/receipts/read-proof';
import { listTransfers } from '@/server/use-cases/transfers/list-transfers';
import {
  exportInput,
  listTransfersBody,
  listTransfersInput,
} from '@/server/use-cases/transfers/schemas';
import { adminRouter } from './routers/admin';
import { dashboardRouter } from './routers/dashboard';
import { receiptsRouter } from './routers/receipts';
import { registrationsRouter } from './routers/registrations';
import { sessionRouter } from './routers/session';
import { statementsRouter } from './routers/statements';
import { webRouter } from './routers/web';
import { createCallerFactory, procedure, router } from './trpc';

const issuerRouter = router({
  read: procedure.output(issuerDocument).query(({ ctx }) => readIssuer(callOf(ctx, null))),
});

const paymentsRouter = router({
  pricing: procedure.output(pricingBody).query(({ ctx }) => readPricing(callOf(ctx, null))),
  find: procedure
    .input(paymentInput)
    .output(paymentBody)
    .query(({ ctx, input }) => readPayment(callOf(ctx, input))),
});

const walletsRouter = router({
  listTransfers: procedure
    .input(listTransfersInput)
    .output(listTransfersBody)
    .query(({ ctx, input }) => listTransfers(callOf(ctx, input))),
  /** Pieces of a file, for transports that can send a stream. */
  exportReceipts: procedure.input(exportInput).query(async ({ ctx, input }) => {
    const { address: wallet, country, format } = input;
    return {
      ...describeFile({ wallet, format }),
      pieces: await exportReceipts(ctx.service, { wallet, country, format }),
    };
  }),
});

export const appRouter = router({
  receipts: receiptsRouter,
  statements: statementsRouter,
  payments: paymentsRouter,
  issuer: issuerRouter,
  admin: adminRouter,
  wallets: walletsRouter,
  session: sessionRouter,
  registrations: registrationsRouter,
  dashboard: dashboardRouter,
  web: webRouter,
});

/** The type of the procedures for the browser's client. */
export type AppRouter = typeof appRouter;

/** Calls procedures in this process, for the REST paths and server components. */
export const createCaller = createCallerFactory(appRouter);
