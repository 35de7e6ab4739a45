import { afterAll } from 'vitest';
import { startService, type TestService } from './start-service';

let settings: Record<string, string> = {};
let shared: Promise<TestService> | undefined;

/**
 * One service for all specs that a test file imports. The file calls this once, beside its imports.
 * `env` are settings that suit all of its specs.
 */
export function shareService(env: Record<string, string> = {}): void {
  settings = env;
  afterAll(async () => {
    const service = await shared;
    shared = undefined;
    await service?.close();
  });
}

/** The service of the test file that imports the spec, started by the first caller. */
export function sharedService(): Promise<TestService> {
  return (shared ??= startService({ env: settings }));
}
