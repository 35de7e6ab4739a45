import { route } from '@/server/rest/route';
import { serveStoredBytes } from '@/server/rest/stored-bytes';

export const { GET, HEAD, POST, DELETE, PUT, PATCH, OPTIONS } = route(
  '/receipt/{receipt_id}/image.png',
  { GET: ({ ctx, params }) => serveStoredBytes(ctx, params['receiptId'] ?? '', 'image') },
);
