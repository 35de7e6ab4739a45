/** The variable that gives the processes of a test run the URL of its PostgreSQL. */
export const TEST_POSTGRES = 'TEST_POSTGRES_URL';
/** Migrated once a run. No session stays connected to it, so it can be copied. */
export const TEMPLATE = 'quittance_template';

/** URL of the run's PostgreSQL. Throws if no run has started one. */
export function testPostgresUrl(): string {
  const url = process.env[TEST_POSTGRES];
  if (url === undefined)
    throw new Error('No PostgreSQL for tests: run them with vitest or playwright.');
  return url;
}
