import type { ServiceContext } from '@/server/context';

/** What looking up a rate needs. The time comes from the database. */
export type RatesContext = Pick<ServiceContext, 'env' | 'db'>;
