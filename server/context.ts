import type { PrismaClient } from '@/generated/prisma/client';
import type { Rpc } from './chain/rpc';
import type { Clock } from './clock';
import type { Env } from './env';
import type { Ids } from './ids';

/** What verbs that touch the outside work with: the same in a request, a job and a test. */
export type ServiceContext = {
  env: Env;
  db: PrismaClient;
  rpc: Rpc;
  clock: Clock;
  ids: Ids;
};
