/** The environment of a child process: this one's, with changes. An empty value unsets a setting. */
export function childEnv(changes: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...process.env, ...changes };
}

/** Takes settings from a `.env` file of the current folder; what is set already wins. */
export function loadDotEnv(): void {
  try {
    process.loadEnvFile('.env');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}

/** A setting of this process; null when it is not set or empty. */
export function given(name: string): string | null {
  return process.env[name] || null;
}

/** Whether NETWORK is `local`, where the embedded stack serves what is not set. */
export function isLocal(): boolean {
  return (given('NETWORK') ?? 'local') === 'local';
}

/**
 * Points a command on `local` at the running embedded stack, for what is not set. On devnet and mainnet it does
 * nothing, and no file of the embedded stack is loaded.
 */
export async function pointAtEmbeddedStack(): Promise<void> {
  if (!isLocal()) return;
  const { embeddedUrls, settings } = await import('@/devnet/settings');
  Object.assign(process.env, embeddedUrls(settings()));
}
