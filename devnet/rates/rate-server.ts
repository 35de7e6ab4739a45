import type { Faults } from './faults';
import type { SampleRates } from './sample-rates';

/** A rate server's parts. `requests` are the last paths asked for. */
export type RateServer = {
  rates: SampleRates;
  faults: Faults;
  requests: string[];
  now(): Date;
};
