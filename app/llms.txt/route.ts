import { env } from '@/server/env';
import { llmsText } from '@/server/rest/openapi/llms-text';
import { COMMON_HEADERS } from '@/server/rest/respond';
import { route } from '@/server/rest/route';

export const { GET, HEAD, POST, DELETE, PUT, PATCH, OPTIONS } = route('/llms.txt', {
  GET: async () =>
    new Response(llmsText(env()), {
      headers: { ...COMMON_HEADERS, 'Content-Type': 'text/plain; charset=utf-8' },
    }),
});
