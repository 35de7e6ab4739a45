import { serveDashboardCsv } from '@/server/rest/serve-dashboard-csv';

export const GET = serveDashboardCsv;
