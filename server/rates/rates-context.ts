import type { ServiceContext } from '@/server/context';

/** What looking up a rate needs. */
export type RatesContext = Pick<ServiceContext, 'env' | 'db' | 'clock'>;
