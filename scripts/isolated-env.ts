import { SETTING_NAMES } from '@/devnet/settings';
import { ENV_NAMES } from '@/server/env';

/** Read by the Inngest SDK itself. */
const SDK_NAMES = [
  ...['INNGEST_DEV', 'INNGEST_ENV', 'INNGEST_API_BASE_URL', 'INNGEST_EVENT_API_BASE_URL'],
  ...['INNGEST_SERVE_ORIGIN', 'INNGEST_SERVE_HOST', 'INNGEST_SERVE_PATH'],
];

/**
 * Every setting emptied, which counts as not set. A demo or a test must never run on the settings,
 * keys or database of a shell or a `.env` file.
 */
export function isolatedEnv(): Record<string, string> {
  const names = [...SETTING_NAMES, ...ENV_NAMES, ...SDK_NAMES];
  return Object.fromEntries(names.map((name) => [name, '']));
}
