import type { StatementRequest } from '@/server/api/statement-schemas';
import { settlementHeaders } from '@/server/rest/payment-headers';
import { json } from '@/server/rest/respond';
import { route } from '@/server/rest/route';
import { trusted } from '@/server/trusted';

export const { GET, HEAD, POST, DELETE, PUT, PATCH, OPTIONS } = route(
  '/statement',
  {
    POST: async ({ caller, body }) => {
      const input = trusted<StatementRequest>(await body(), 'the procedure parses its input');
      const result = await caller.statements.create(input);
      const headers = settlementHeaders(result.settlement);
      return result.outcome === 'stated'
        ? json(200, result.body, headers)
        : json(202, result.body, { ...headers, 'Retry-After': '5' });
    },
  },
  // 5,000 signatures of 88 characters, and as many again that are named twice.
  { maxBodyBytes: 1024 * 1024 },
);
