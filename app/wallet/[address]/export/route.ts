import type { ExportInput } from '@/server/api/listing-schemas';
import { route } from '@/server/rest/route';
import { streamText } from '@/server/rest/stream-text';
import { trusted } from '@/server/trusted';

export const { GET, HEAD, POST, DELETE, PUT, PATCH, OPTIONS } = route('/wallet/{address}/export', {
  GET: async ({ caller, ctx, params, query }) => {
    const input = { ...query, address: params['address'] ?? '' };
    const { pieces, ...file } = await caller.wallets.exportReceipts(
      trusted<ExportInput>(input, 'the procedure parses its input'),
    );
    return streamText(pieces, { ...file, requestId: ctx.requestId });
  },
});
