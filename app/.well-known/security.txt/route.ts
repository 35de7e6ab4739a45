import { env } from '@/server/env';
import { COMMON_HEADERS } from '@/server/rest/respond';
import { route } from '@/server/rest/route';
import { securityText } from '@/server/rest/security-text';

export const { GET, HEAD, POST, DELETE, PUT, PATCH, OPTIONS } = route('/.well-known/security.txt', {
  GET: async ({ ctx }) =>
    new Response(securityText({ ...env(), now: ctx.service.clock.now() }), {
      headers: { ...COMMON_HEADERS, 'Content-Type': 'text/plain; charset=utf-8' },
    }),
});
