import { createHmac } from 'node:crypto';
import { dayOf } from '@/server/clock';
import { ServiceError } from '@/server/errors';
import { networkOf } from '@/server/ip-address';
import { type LimitState, takePoints } from '@/server/limit-store';
import { type LimitName, LIMITS } from '@/server/limits';
import type { Call, ProvenWallet } from './call';

type Charged = Pick<Call, 'service' | 'actor'>;
type Kind = 'reads' | 'polls' | 'paid';

/** Procedures with another limit than the default: a query counts as a read, a mutation as a paid route. */
const LIMIT_OF: Readonly<Record<string, Kind | null>> = {
  'receipts.status': 'polls',
  'statements.status': 'polls',
  // A page polls its payment every 1.5 s, and sends it again meanwhile.
  'web.resume': 'polls',
  'web.send': 'polls',
  'session.end': 'reads',
  'dashboard.setLabel': 'reads',
  // The admin token is too long to guess, and an operator in an emergency must not be refused.
  'admin.retry': 'reads',
  'admin.retryAll': 'reads',
  'admin.release': 'reads',
  'admin.refund': 'reads',
  'admin.forget': 'reads',
  'admin.hide': 'reads',
};

/** Counts a call of a procedure for its client address. Throws 429, or 503 if the counts are needed and unknown. */
export function chargeCall(
  by: Charged,
  call: { path: string; type: 'query' | 'mutation' | 'subscription' },
): Promise<void> {
  return chargeClient(by, LIMIT_OF[call.path] ?? (call.type === 'query' ? 'reads' : 'paid'));
}

/** Counts one request of a kind for its client address. */
export async function chargeClient(call: Charged, kind: Kind): Promise<void> {
  const state = await charge(call, kind, clientKey(call));
  if (state && call.actor.kind !== 'job') call.actor.limits.state = state;
}

/** Counts a request for the wallet that proved itself, so nobody can use up the limit of another. */
export async function chargeWallet(call: Charged, wallet: ProvenWallet): Promise<void> {
  await charge(call, 'wallet', wallet);
}

/** The key that limits use for a client: not its address, and a different one each day. */
export function clientKey({ service, actor }: Charged): string {
  const { env, clock } = service;
  return hashClient({
    address: networkOf(actor.client),
    secret: env.minter.secret,
    day: dayOf(clock.now()),
  });
}

async function charge(call: Charged, name: LimitName, key: string): Promise<LimitState | null> {
  if (call.service.env.limits === null || call.actor.kind === 'job') return null;
  const state = await takePoints({ name, key, points: 1 });
  if (state?.isOver) {
    call.actor.limits.state = state;
    throw rateLimited(state);
  }
  if (state === null && LIMITS[name].whenDown === 'closed')
    throw new ServiceError(
      'service_unavailable',
      'The service cannot count requests at the moment, so it accepts none of this kind. Nothing was charged.',
    );
  return state;
}

/** The 429 of a client over its limit. */
export function rateLimited(state: LimitState): ServiceError {
  const retryAfterS = Math.max(1, Math.ceil(state.resetMs / 1000));
  return new ServiceError(
    'rate_limited',
    `Too many requests. Please try again in ${retryAfterS} seconds.`,
    { retryAfterS },
  );
}

/**
 * A client's address in the form that limits store. It is an HMAC under a key that changes with the
 * UTC day, so the stored value reveals no address. The key comes from a secret that all processes
 * share. Equal for equal input.
 */
function hashClient(o: { address: string; secret: Uint8Array; day: string }): string {
  const key = createHmac('sha256', o.secret).update(`client address ${o.day}`).digest();
  return createHmac('sha256', key).update(o.address).digest('hex');
}
