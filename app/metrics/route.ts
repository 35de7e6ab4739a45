import { route } from '@/server/rest/route';
import { serveMetrics } from '@/server/rest/serve-metrics';

export const { GET, HEAD, POST, DELETE, PUT, PATCH, OPTIONS } = route('/metrics', {
  GET: ({ ctx }) => serveMetrics(ctx),
});
