import type { ListTransfersInput } from '@/server/api/listing-schemas';
import { json } from '@/server/rest/respond';
import { route } from '@/server/rest/route';
import { trusted } from '@/server/trusted';

export const { GET, HEAD, POST, DELETE, PUT, PATCH, OPTIONS } = route(
  '/wallet/{address}/receipts',
  {
    GET: async ({ caller, params, query }) => {
      const input = { ...query, address: params['address'] ?? '' };
      return json(
        200,
        await caller.wallets.listTransfers(
          trusted<ListTransfersInput>(input, 'the procedure parses its input'),
        ),
      );
    },
  },
);
