import { route } from '@/server/rest/route';
import { serveStatementBytes } from '@/server/rest/stored-bytes';

export const { GET, HEAD, POST, DELETE, PUT, PATCH, OPTIONS } = route(
  '/statement/{statement_id}/image.png',
  { GET: ({ params }) => serveStatementBytes(params['statementId'] ?? '', 'image') },
);
