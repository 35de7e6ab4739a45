import { env } from '@/server/env';
import { openapiDocument } from '@/server/rest/openapi/openapi-document';
import { json } from '@/server/rest/respond';
import { route } from '@/server/rest/route';

export const { GET, HEAD, POST, DELETE, PUT, PATCH, OPTIONS } = route('/openapi.json', {
  GET: async () => json(200, openapiDocument(env())),
});
