import type { RequestContext } from '../request-context';
import { chargeCall, clientKey, rateLimited } from './limits';
import { meterRpc } from './meter-rpc';
import { refusePaused } from './pause';

/**
 * What every procedure does first, whichever door the call came through: limits, pauses, and a count of the
 * calls to Solana nodes that it causes. `work` runs with the context it is given.
 */
export async function guardCall<T>(
  ctx: RequestContext,
  call: { path: string; type: 'query' | 'mutation' | 'subscription' },
  work: (ctx: RequestContext) => Promise<T>,
): Promise<T> {
  await chargeCall(ctx, call);
  await refusePaused(ctx, call.path);
  if (ctx.service.env.limits === null) return work(ctx);
  const meter = meterRpc(ctx.service.rpc, { key: clientKey(ctx), refuse: rateLimited });
  try {
    return await work({ ...ctx, service: { ...ctx.service, rpc: meter.rpc } });
  } finally {
    ctx.limits.rpcPoints += meter.points();
    await meter.settle();
  }
}
