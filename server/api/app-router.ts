import { adminRouter } from './routers/admin';
import { issuerRouter } from './routers/issuer';
import { paymentsRouter } from './routers/payments';
import { receiptsRouter } from './routers/receipts';
import { statementsRouter } from './routers/statements';
import { walletsRouter } from './routers/wallets';
import { webRouter } from './routers/web';
import { createCallerFactory, router } from './trpc';

export const appRouter = router({
  receipts: receiptsRouter,
  statements: statementsRouter,
  payments: paymentsRouter,
  issuer: issuerRouter,
  admin: adminRouter,
  wallets: walletsRouter,
  web: webRouter,
});

/** The procedures as the browser's client knows them. */
export type AppRouter = typeof appRouter;

/** Calls procedures in this process, for the REST paths and server components. */
export const createCaller = createCallerFactory(appRouter);
