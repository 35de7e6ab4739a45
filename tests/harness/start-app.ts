import { startAnotherApp } from './start-another-app';
import type { TestService } from './start-service';
import { unwatchAnswers, watchAnswers } from './watch-answers';

/** One more process of the app over the same database, chain and public URL, on another port. */
export async function startSecondApp(
  service: TestService,
): Promise<TestService & { stop(): Promise<void> }> {
  const another = await startAnotherApp({
    env: { ...service.appEnv, PUBLIC_URL: service.baseUrl },
    onCrash: (how) => console.error(`the second app ended: ${how}`),
  });
  await watchAnswers(another.baseUrl);
  return {
    ...service,
    ...another,
    stop: async () => {
      await another.stop();
      unwatchAnswers(another.baseUrl);
    },
  };
}

/** Ends the app like a crash and starts it on its own port with changed settings. */
export async function restartChanged(
  service: TestService,
  changes: Record<string, string>,
): Promise<TestService & { stop(): Promise<void> }> {
  await service.app.kill();
  const appEnv = { ...service.appEnv, ...changes };
  const another = await startAnotherApp({
    env: appEnv,
    port: Number(new URL(service.baseUrl).port),
    onCrash: (how) => console.error(`the app with changed settings ended: ${how}`),
  });
  return { ...service, ...another, appEnv };
}
