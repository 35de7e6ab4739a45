import type { WithdrawalInput } from '@/server/api/payment-schemas';
import { json } from '@/server/rest/respond';
import { route } from '@/server/rest/route';
import { trusted } from '@/server/trusted';

export const { GET, HEAD, POST, DELETE, PUT, PATCH, OPTIONS } = route('/admin/withdrawals', {
  POST: async ({ caller, body }) =>
    json(
      200,
      await caller.admin.withdraw(
        trusted<WithdrawalInput>(await body(), 'the procedure parses its input'),
      ),
    ),
});
