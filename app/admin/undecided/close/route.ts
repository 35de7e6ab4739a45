import type { CloseUndecidedInput } from '@/server/api/admin-schemas';
import { json } from '@/server/rest/respond';
import { route } from '@/server/rest/route';
import { trusted } from '@/server/trusted';

export const { GET, HEAD, POST, DELETE, PUT, PATCH, OPTIONS } = route('/admin/undecided/close', {
  POST: async ({ caller, body }) =>
    json(
      200,
      await caller.admin.closeUndecided(
        trusted<CloseUndecidedInput>(await body(), 'the procedure parses its input'),
      ),
    ),
});
