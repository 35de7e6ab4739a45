import { json } from '@/server/rest/respond';
import { route } from '@/server/rest/route';

export const { GET, HEAD, POST, DELETE, PUT, PATCH, OPTIONS } = route('/statement/{statement_id}', {
  GET: async ({ caller, params, query }) => {
    const body = await caller.statements.find({
      statement_id: params['statementId'] ?? '',
      ...(query['wait'] === undefined ? {} : { wait: query['wait'] }),
    });
    // 202 as POST answers it: the record is there, its NFT is not.
    return body.mint_status === 'pending'
      ? json(202, body, { 'Retry-After': '5' })
      : json(200, body);
  },
});
