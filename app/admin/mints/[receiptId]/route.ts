import { json } from '@/server/rest/respond';
import { route } from '@/server/rest/route';

export const { GET, HEAD, POST, DELETE, PUT, PATCH, OPTIONS } = route('/admin/mints/{receipt_id}', {
  GET: async ({ caller, params }) =>
    json(200, await caller.admin.mint({ receipt_id: params['receiptId'] ?? '' })),
});
