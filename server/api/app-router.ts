import { adminRouter } from './routers/admin';
import { issuerRouter } from './routers/issuer';
import { paymentsRouter } from './routers/payments';
import { receiptsRouter } from './routers/receipts';
import { statementsRouter } from './routers/statements';
import { walletsRouter } from './routers/wallets';
import { createCallerFactory, router } from './trpc';

export const appRouter = router({
  receipts: receiptsRouter,
  statements: statementsRouter,
  payments: paymentsRouter,
  issuer: issuerRouter,
  admin: adminRouter,
  wallets: walletsRouter,
});

/** Calls procedures in this process, for the REST paths and server components. */
export const createCaller = createCallerFactory(appRouter);
