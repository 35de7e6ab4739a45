import { json } from '@/server/rest/respond';
import { route } from '@/server/rest/route';

export const { GET, HEAD, POST, DELETE, PUT, PATCH, OPTIONS } = route(
  '/receipt/{receipt_id}/proof',
  {
    GET: async ({ caller, params }) =>
      json(200, await caller.receipts.proof({ receipt_id: params['receiptId'] ?? '' })),
  },
);
