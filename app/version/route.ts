import { route } from '@/server/rest/route';
import { serveVersion } from '@/server/rest/version';

export const { GET, HEAD, POST, DELETE, PUT, PATCH, OPTIONS } = route('/version', {
  GET: serveVersion,
});
