import { json } from '@/server/rest/respond';
import { route } from '@/server/rest/route';

export const { GET, HEAD, POST, DELETE, PUT, PATCH, OPTIONS } = route(
  '/.well-known/quittance.json',
  {
    GET: async ({ caller }) =>
      json(200, await caller.issuer.read(), { 'Cache-Control': 'public, max-age=60' }),
  },
);
