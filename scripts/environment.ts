/**
 * The environment of a child process: this one's, with changes. An empty value unsets a setting.
 */
export function childEnv(changes: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...process.env, ...changes };
}

/** Reads settings from a `.env` file of the current folder. Existing settings win. */
export function loadDotEnv(): void {
  try {
    process.loadEnvFile('.env');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}

/** A setting of this process, or null when it is not set or empty. */
export function given(name: string): string | null {
  return process.env[name] || null;
}

/** Whether NETWORK is `local`. The embedded stack then serves the parts that are not set. */
export function isLocal(): boolean {
  return (given('NETWORK') ?? 'local') === 'local';
}

/**
 * On `local`, points a command at the running embedded stack, except for parts that are set. On
 * devnet and mainnet it does nothing, and loads no file of the embedded stack.
 */
export async function pointAtEmbeddedStack(): Promise<void> {
  if (!isLocal()) return;
  const { embeddedUrls, settings } = await import('@/devnet/settings');
  Object.assign(process.env, embeddedUrls(settings()));
}
