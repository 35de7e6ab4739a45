import { json } from '@/server/rest/respond';
import { route } from '@/server/rest/route';

export const { GET, HEAD, POST, DELETE, PUT, PATCH, OPTIONS } = route(
  '/statement/{statement_id}/proof',
  {
    GET: async ({ caller, params }) =>
      json(200, await caller.statements.wholeProof({ statement_id: params['statementId'] ?? '' })),
  },
);
