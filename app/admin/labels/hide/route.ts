import { serve } from '@/server/rest/serve';

export const { GET, HEAD, POST, DELETE, PUT, PATCH, OPTIONS } = serve('/admin/labels/hide');
