import { route } from '@/server/rest/route';
import { serveStatementCsv } from '@/server/rest/stored-bytes';

export const { GET, HEAD, POST, DELETE, PUT, PATCH, OPTIONS } = route(
  '/statement/{statement_id}/csv',
  { GET: ({ params }) => serveStatementCsv(params['statementId'] ?? '') },
);
