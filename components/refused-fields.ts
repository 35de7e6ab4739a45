import type { ApiFailure } from './api-client';

/** Entries that the service refuses, each with the reason in English; empty for every other error. */
export function refusedFields({ code, details }: ApiFailure): Readonly<Record<string, string>> {
  if (code !== 'invalid_request') return {};
  return Object.fromEntries(
    Object.entries(details).flatMap(([name, why]) =>
      typeof why === 'string' ? [[name, why]] : [],
    ),
  );
}
