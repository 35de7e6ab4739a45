import { expect, it } from 'vitest';
import { ServiceError } from '@/server/errors';
import {
  ADMIN_ROLES,
  parseOperators,
  tokenHash,
  type AdminRole,
  type Operator,
} from '@/server/admin-tokens';
import { requireAdmin } from './require-caller';

const TOKEN = '0123456789abcdef0123456789abcdef';

function codeOf(
  adminToken: string | null,
  authorization: string | null,
  o: { role?: AdminRole; named?: Operator[] } = {},
): string {
  const { role = 'read', named: namedOperators = [] } = o;
  try {
    requireAdmin({ authorization, service: { env: { adminToken, namedOperators } } }, role);
    return 'let through';
  } catch (error) {
    return error instanceof ServiceError ? error.code : String(error);
  }
}

it('the admin token alone opens the admin paths', () => {
  expect(codeOf(TOKEN, `Bearer ${TOKEN}`)).toBe('let through');
  expect(codeOf(TOKEN, `bearer ${TOKEN}`)).toBe('let through');
  for (const shown of [
    null,
    '',
    'Bearer',
    'Bearer ',
    TOKEN,
    `Basic ${TOKEN}`,
    `Bearer ${TOKEN}0`,
    `Bearer ${TOKEN.slice(0, -1)}`,
    `Bearer ${TOKEN} ${TOKEN}`,
  ])
    expect(codeOf(TOKEN, shown), String(shown)).toBe('admin_token_wrong');
});

it('without a token in the settings there are no admin paths, with any header', () => {
  for (const shown of [null, 'Bearer ', 'Bearer null', `Bearer ${TOKEN}`])
    expect(codeOf(null, shown)).toBe('path_not_found');
});

const tokenOf = (name: string) => `${name}-token-0123456789-0123456789-01`;
const entry = (name: string, roles: string) => `${name}:${roles}:${tokenHash(tokenOf(name))}`;
function operators(text: string): Operator[] {
  const parsed = parseOperators(text);
  if ('fault' in parsed) throw new Error(parsed.fault);
  return parsed;
}

it.each([
  ['read', ['read']],
  ['support', ['read', 'support']],
  ['money', ['read', 'money']],
  ['support+money', ['read', 'support', 'money']],
])('an operator with the role %s may do what %j needs, and nothing else', (roles, may) => {
  const named = operators(`${entry('anna', roles)}, ${entry('ben', 'read')}`);
  for (const role of ADMIN_ROLES)
    expect(codeOf(TOKEN, `Bearer ${tokenOf('anna')}`, { role, named })).toBe(
      may.includes(role) ? 'let through' : 'admin_role_missing',
    );
});

it('the admin token has every role, and named operators open the paths without it', () => {
  const named = operators(entry('anna', 'money'));
  for (const role of ADMIN_ROLES)
    expect(codeOf(TOKEN, `Bearer ${TOKEN}`, { role, named })).toBe('let through');
  expect(codeOf(null, `Bearer ${tokenOf('anna')}`, { named })).toBe('let through');
  expect(codeOf(null, `Bearer ${TOKEN}`, { named })).toBe('admin_token_wrong');
});

it('names the operator', () => {
  const service = { env: { adminToken: TOKEN, namedOperators: operators(entry('anna', 'read')) } };
  const actorOf = (token: string) =>
    requireAdmin({ authorization: `Bearer ${token}`, service }, 'read').actor;
  expect([actorOf(TOKEN), actorOf(tokenOf('anna'))]).toEqual(['admin', 'admin:anna']);
});

it('a token of fewer than 32 characters opens nothing, and neither does its hash', () => {
  const short = 'a'.repeat(31);
  const hash = tokenHash(short);
  const named = operators(`anna:money:${hash}`);
  for (const shown of [short, hash])
    expect(codeOf(null, `Bearer ${shown}`, { named })).toBe('admin_token_wrong');
});

it.each([
  ['a token in place of its hash', `anna:read:${tokenOf('anna')}`],
  ['an unknown role', `anna:owner:${tokenHash('x')}`],
  ['no role', `anna::${tokenHash('x')}`],
  ['a name twice', `${entry('anna', 'read')},anna:money:${tokenHash('x')}`],
  ['a token twice', `${entry('anna', 'read')},ben:money:${tokenHash(tokenOf('anna'))}`],
])('operators with %s are refused, and no token is shown', (_what, text) => {
  const parsed = parseOperators(text);
  expect('fault' in parsed && parsed.fault).toMatch(/^must /);
  expect(JSON.stringify(parsed)).not.toContain(tokenOf('anna'));
});
