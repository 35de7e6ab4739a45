import type { ServiceContext } from '@/server/context';

/** What finding and valuing the rows of a statement works with. */
export type StatementContext = Pick<ServiceContext, 'db' | 'env' | 'rpc' | 'clock'>;
