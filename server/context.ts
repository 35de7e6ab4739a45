import type { PrismaClient } from '@/generated/prisma/client';
import type { Rpc } from './chain/rpc';
import type { Clock } from './clock';
import type { Env } from './env';
import type { Ids } from './ids';
import type { ReceiptFacts } from './receipts/receipt-facts';

/** What verbs that touch the outside work with: the same in a request, a job and a test. */
export type ServiceContext = {
  env: Env;
  db: PrismaClient;
  rpc: Rpc;
  clock: Clock;
  ids: Ids;
  /** The picture of a receipt, as PNG. */
  drawReceipt: (facts: ReceiptFacts) => Promise<Uint8Array>;
};
