import { serveReady } from '@/server/rest/health';
import { route } from '@/server/rest/route';

export const { GET, HEAD, POST, DELETE, PUT, PATCH, OPTIONS } = route('/health/ready', {
  GET: serveReady,
});
