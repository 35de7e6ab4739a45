import type { RefundInput } from '@/server/api/payment-schemas';
import { json } from '@/server/rest/respond';
import { route } from '@/server/rest/route';
import { trusted } from '@/server/trusted';

export const { GET, HEAD, POST, DELETE, PUT, PATCH, OPTIONS } = route('/admin/refunds', {
  POST: async ({ caller, body }) =>
    json(
      200,
      await caller.admin.refund(
        trusted<RefundInput>(await body(), 'the procedure parses its input'),
      ),
    ),
});
