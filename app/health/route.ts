import { route } from '@/server/rest/route';
import { serveHealth } from '@/server/rest/health';

export const { GET, HEAD, POST, DELETE, PUT, PATCH, OPTIONS } = route('/health', {
  GET: serveHealth,
});
