import { createHash, timingSafeEqual } from 'node:crypto';
import type { Env } from '@/server/env';
import { ServiceError } from '@/server/errors';
import { type AdminRole, findOperator, firstOperator, type Operator } from '@/server/admin-tokens';
import { findSession, type Session } from '@/server/wallets/sign-in';
import type { RequestContext } from './request-context';

type AdminSettings = { service: { env: Pick<Env, 'adminToken' | 'namedOperators'> } };

/**
 * Accepts a request with an operator's token as `Authorization: Bearer`, and returns the operator. Without
 * a token in the settings the paths do not exist: 404. A wrong token is 401, one without the role 403.
 */
export function requireAdmin(
  ctx: Pick<RequestContext, 'authorization'> & AdminSettings,
  role: AdminRole,
): Operator {
  const { adminToken, namedOperators } = ctx.service.env;
  const first = adminToken === null ? [] : [firstOperator(adminToken)];
  const operators = [...first, ...namedOperators];
  if (operators.length === 0)
    throw new ServiceError('path_not_found', 'The service has no such path.');
  const shown = /^Bearer +(\S+)$/i.exec(ctx.authorization?.trim() ?? '')?.[1] ?? '';
  const operator = findOperator(operators, shown);
  if (operator === null)
    throw new ServiceError(
      'admin_token_wrong',
      'This path needs the header Authorization: Bearer with the admin token.',
    );
  if (!operator.roles.has(role))
    throw new ServiceError(
      'admin_role_missing',
      `This path needs the role ${role}, and ${operator.actor} has ${[...operator.roles].join(', ')}.`,
    );
  return operator;
}

/** The session of a call from our own pages, or null. */
export async function readSession(ctx: RequestContext): Promise<Session | null> {
  const token = ctx.browser?.sessionToken ?? null;
  return token === null ? null : findSession(ctx.service, token);
}

/** The session of a call; throws 401 without one. */
export async function requireSession(ctx: RequestContext): Promise<Session> {
  const session = await readSession(ctx);
  if (session) return session;
  throw new ServiceError('not_signed_in', 'You are not signed in. Sign in with your wallet first.');
}

/**
 * Refuses a page that shows another wallet than the one that is signed in now: its reader would take
 * the answer for one about the wallet that it shows.
 */
export function requireSameWallet(session: Session, shown: string): void {
  if (shown === session.wallet) return;
  throw new ServiceError('not_signed_in', `The wallet ${shown} is not signed in. Sign in with it.`);
}

/**
 * Accepts a request with the webhook secret in `Authorization`, bare (as Helius sends it) or as
 * Bearer. Without a secret in the settings the path does not exist: 404.
 */
export function requireWebhookSecret(ctx: RequestContext): void {
  const { webhookSecret } = ctx.service.env;
  if (webhookSecret === null)
    throw new ServiceError('path_not_found', 'The service has no such path.');
  const shown = (ctx.authorization ?? '').trim().replace(/^Bearer +/i, '');
  if (isSameSecret(shown, webhookSecret)) return;
  throw new ServiceError(
    'webhook_secret_wrong',
    'This path needs the webhook secret in the header Authorization.',
  );
}

/** Whether two secrets are the same, in a time that does not depend on how much of a wrong one is right. */
export function isSameSecret(shown: string, secret: string): boolean {
  return timingSafeEqual(digest(shown), digest(secret));
}

/** The same length for every text, because the comparison needs it. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
