import { json } from '@/server/rest/respond';
import { route } from '@/server/rest/route';

export const { GET, HEAD, POST, DELETE, PUT, PATCH, OPTIONS } = route('/calculate/{tx_signature}', {
  GET: async ({ caller, params, query }) =>
    json(
      200,
      await caller.receipts.calculate({
        tx_signature: params['txSignature'] ?? '',
        country: query['country'],
      }),
    ),
});
