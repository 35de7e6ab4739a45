/** Runs once when the server process starts, before the first request. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  const { startService } = await import('./server/api/start-service');
  await startService();
}
