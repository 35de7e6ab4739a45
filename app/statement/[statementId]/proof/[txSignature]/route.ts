import { json } from '@/server/rest/respond';
import { route } from '@/server/rest/route';

export const { GET, HEAD, POST, DELETE, PUT, PATCH, OPTIONS } = route(
  '/statement/{statement_id}/proof/{tx_signature}',
  {
    GET: async ({ caller, params, query }) =>
      json(
        200,
        await caller.statements.proof({
          statement_id: params['statementId'] ?? '',
          tx_signature: params['txSignature'] ?? '',
          ...(query['leg'] === undefined ? {} : { leg: query['leg'] }),
        }),
      ),
  },
);
