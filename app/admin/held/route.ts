import type { HeldInput } from '@/server/api/admin-schemas';
import { json } from '@/server/rest/respond';
import { route } from '@/server/rest/route';
import { trusted } from '@/server/trusted';

export const { GET, HEAD, POST, DELETE, PUT, PATCH, OPTIONS } = route('/admin/held', {
  GET: async ({ caller, query }) =>
    json(
      200,
      await caller.admin.held(trusted<HeldInput>({ ...query }, 'the procedure parses its input')),
    ),
});
