import { rpc } from '@/server/chain/rpc';
import { systemClock } from '@/server/clock';
import type { ServiceContext } from '@/server/context';
import { db } from '@/server/db/client';
import { env } from '@/server/env';
import { randomIds } from '@/server/ids';
import { drawOnThread } from '@/server/receipts/draw-on-thread';

/** The real parts of this process. */
export function serviceContext(): ServiceContext {
  return {
    ...{ env: env(), db: db(), rpc: rpc(), clock: systemClock, ids: randomIds },
    drawReceipt: drawOnThread,
  };
}
