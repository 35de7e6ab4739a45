import { ServiceError } from '@/server/errors';
import { findSession, type Session } from '@/server/wallets/sign-in';
import type { RequestContext } from '../request-context';

/** The session of a call from our own pages, or null. */
export async function readSession(ctx: RequestContext): Promise<Session | null> {
  const token = ctx.browser?.sessionToken ?? null;
  return token === null ? null : findSession(ctx.service, token);
}

/** The session of a call; throws 401 without one. */
export async function requireSession(ctx: RequestContext): Promise<Session> {
  const session = await readSession(ctx);
  if (session) return session;
  throw new ServiceError('not_signed_in', 'Nobody is signed in. Sign in with your wallet first.');
}
