import { json } from '@/server/rest/respond';
import { route } from '@/server/rest/route';

export const { GET, HEAD, POST, DELETE, PUT, PATCH, OPTIONS } = route('/mint/status/{receipt_id}', {
  GET: async ({ caller, params, query }) =>
    json(
      200,
      await caller.receipts.status({
        receipt_id: params['receiptId'] ?? '',
        ...(query['wait'] === undefined ? {} : { wait: query['wait'] }),
      }),
    ),
});
