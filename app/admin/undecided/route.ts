import { json } from '@/server/rest/respond';
import { route } from '@/server/rest/route';

export const { GET, HEAD, POST, DELETE, PUT, PATCH, OPTIONS } = route('/admin/undecided', {
  GET: async ({ caller }) => json(200, await caller.admin.undecided()),
});
