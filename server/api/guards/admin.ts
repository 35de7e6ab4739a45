import type { Env } from '@/server/env';
import { ServiceError } from '@/server/errors';
import { findOperator, firstOperator, type AdminRole, type Operator } from '@/server/operators';
import type { RequestContext } from '../request-context';

type AdminSettings = { service: { env: Pick<Env, 'adminToken' | 'namedOperators'> } };

/**
 * Lets a request through that shows an operator's token as `Authorization: Bearer`, and gives the operator. Without
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
