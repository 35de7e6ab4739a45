import { startService, type TestService } from './start-service';

let shared: Promise<TestService> | undefined;

/** A service with plain settings for all specs of one test file, which closes it. */
export function sharedService(): Promise<TestService> {
  return (shared ??= startService());
}
