import type { TestProject } from 'vitest/node';
import { startTestPostgres } from './start-test-postgres';

/** One PostgreSQL for all projects of a run. */
export default async function setup(
  project: TestProject,
): Promise<(() => Promise<void>) | undefined> {
  // Each project inherits this file and the setup of the root.
  return project.isRootProject() ? startTestPostgres() : undefined;
}
