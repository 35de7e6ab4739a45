import { startTestPostgres } from '@/tests/harness/start-test-postgres';
import { buildForStack } from '@/scripts/build-app';

/** PostgreSQL for the run, and a build of the app if the sources changed. */
export default async function setup(): Promise<() => Promise<void>> {
  const end = await startTestPostgres();
  await buildForStack((line) => console.log(line));
  return end;
}
