import { createTRPCReact } from '@trpc/react-query';
import type { AppRouter } from '@/server/api/app-router';

/** Hooks over the service's procedures: `api.receipts.find.useQuery({receipt_id})`. */
export const api = createTRPCReact<AppRouter>();
