import { json } from '@/server/rest/respond';
import { route } from '@/server/rest/route';

export const { GET, HEAD, POST, DELETE, PUT, PATCH, OPTIONS } = route('/statement/{statement_id}', {
  GET: async ({ caller, params, query }) =>
    json(
      200,
      await caller.statements.find({
        statement_id: params['statementId'] ?? '',
        ...(query['wait'] === undefined ? {} : { wait: query['wait'] }),
      }),
    ),
});
