import { json } from '@/server/rest/respond';
import { route } from '@/server/rest/route';

export const { GET, HEAD, POST, DELETE, PUT, PATCH, OPTIONS } = route('/payments/{signature}', {
  GET: async ({ caller, params }) =>
    json(200, await caller.payments.find({ signature: params['signature'] ?? '' })),
});
