import { route } from '@/server/rest/route';
import { serveStoredBytes } from '@/server/rest/stored-bytes';

export const { GET, HEAD, POST, DELETE, PUT, PATCH, OPTIONS } = route(
  '/receipt/{receipt_id}/metadata.json',
  { GET: ({ ctx, params }) => serveStoredBytes(ctx, params['receiptId'] ?? '', 'metadata') },
);
