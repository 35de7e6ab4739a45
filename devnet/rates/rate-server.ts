import type { Faults } from './faults';
import type { SampleRates } from './sample-rates';

/** The parts of a rate server. `requests` are the last requested paths. */
export type RateServer = {
  rates: SampleRates;
  faults: Faults;
  requests: string[];
  now(): Date;
};
