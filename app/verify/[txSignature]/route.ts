import { json } from '@/server/rest/respond';
import { route } from '@/server/rest/route';

export const { GET, HEAD, POST, DELETE, PUT, PATCH, OPTIONS } = route('/verify/{tx_signature}', {
  GET: async ({ caller, params }) =>
    json(
      200,
      await caller.receipts.verifyTransaction({ tx_signature: params['txSignature'] ?? '' }),
    ),
});
