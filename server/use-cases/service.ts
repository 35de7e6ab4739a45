import { rpc } from '@/server/chain/rpc';
import type { ServiceContext } from '@/server/context';
import { db } from '@/server/db/client';
import { env } from '@/server/env';
import { randomIds } from '@/server/ids';
import { requestMint, sendNoted } from '@/server/job-server/send-events';
import { drawOnThread } from '@/server/receipts/draw-on-thread';
import { serviceClock } from '@/server/service-clock';

/** The real parts of this process. */
export function serviceContext(): ServiceContext {
  return {
    env: env(),
    db: db(),
    rpc: rpc(),
    clock: serviceClock(),
    ids: randomIds,
    jobs: { startMint: requestMint, startTransfers: sendNoted },
    draw: drawOnThread,
  };
}
