/** Runs once when the server process starts, before the first request. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  // The real process.env asks the system at each read, and the job client reads every variable at each call.
  process.env = { ...process.env };
  const { startService } = await import('@/server/start/start-service');
  await startService();
}
