import { inject } from 'vitest';
import { startAnotherApp } from './start-another-app';
import type { TestService } from './start-service';

/** One more process of the app over the same database, chain and public URL, on a port of its own. */
export async function startSecondApp(
  service: TestService,
): Promise<TestService & { stop(): Promise<void> }> {
  const another = await startAnotherApp({
    distDir: inject('distDir'),
    env: { ...service.appEnv, PUBLIC_URL: service.baseUrl },
    onCrash: (how) => console.error(`the second app ended: ${how}`),
  });
  return { ...service, ...another };
}
