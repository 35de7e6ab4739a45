import type { MintBody } from '@/server/api/schemas';
import { settlementHeaders } from '@/server/rest/payment-headers';
import { json } from '@/server/rest/respond';
import { route } from '@/server/rest/route';
import { trusted } from '@/server/trusted';

export const { GET, HEAD, POST, DELETE, PUT, PATCH, OPTIONS } = route('/mint', {
  POST: async ({ caller, body }) => {
    const input = trusted<MintBody>(await body(), 'the procedure parses its input');
    const result = await caller.receipts.create(input);
    return result.outcome === 'exists'
      ? json(409, result.body)
      : json(200, result.body, settlementHeaders(result.settlement));
  },
});
