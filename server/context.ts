import type { PrismaClient } from '@/generated/prisma/client';
import type { Rpc } from './chain/rpc';
import type { Clock } from './clock';
import type { Env } from './env';
import type { Ids } from './ids';
import type { DrawSheet } from '@quittance/verify/images/draw-sheet';

/** Context of use cases that touch the outside: the same in a request, a job and a test. */
export type ServiceContext = {
  env: Env;
  db: PrismaClient;
  rpc: Rpc;
  clock: Clock;
  ids: Ids;
  /** Begins durable jobs. Neither throws: a sweep makes up for an event that the job server did not accept. */
  jobs: {
    /** Drives a mint; `round` distinguishes repeats. Returns whether the job server accepted it. */
    startMint(mint: { id: string; paid: boolean }, round: number): Promise<boolean>;
    /** Handles the noted transactions of registered wallets now. */
    startTransfers(): Promise<void>;
  };
  /** Draws the images of receipts and statements. */
  draw: DrawSheet;
};
