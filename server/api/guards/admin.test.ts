import { expect, it } from 'vitest';
import { ServiceError } from '@/server/errors';
import { requireAdmin } from './admin';

const TOKEN = '0123456789abcdef0123456789abcdef';

function codeOf(adminToken: string | null, authorization: string | null): string {
  try {
    requireAdmin({ authorization, service: { env: { adminToken } } });
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

it('without a token in the settings there are no admin paths, whatever is shown', () => {
  for (const shown of [null, 'Bearer ', 'Bearer null', `Bearer ${TOKEN}`])
    expect(codeOf(null, shown)).toBe('path_not_found');
});
