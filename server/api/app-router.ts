import { issuerRouter } from './routers/issuer';
import { receiptsRouter } from './routers/receipts';
import { walletsRouter } from './routers/wallets';
import { createCallerFactory, router } from './trpc';

export const appRouter = router({
  receipts: receiptsRouter,
  issuer: issuerRouter,
  wallets: walletsRouter,
});

/** Calls procedures in this process, for the REST paths and server components. */
export const createCaller = createCallerFactory(appRouter);
