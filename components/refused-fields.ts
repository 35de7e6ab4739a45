import type { LabelRefusal } from '@/server/receipts/judge-label';
import type { ApiFailure } from './api-client';

/** Refused entries by name, each with its reason, or with a sentence in English where there is no code for it. */
export type RefusedFields = Readonly<Record<string, LabelRefusal | string>>;

/** The entries that the service refuses. Empty for every other error. */
export function refusedFields({ code, details }: ApiFailure): RefusedFields {
  if (code !== 'invalid_request') return {};
  const reasons = new Map(Object.entries(details['reasons'] ?? {}));
  return Object.fromEntries(
    Object.entries(details).flatMap(([name, why]) => {
      if (typeof why !== 'string') return [];
      const reason: unknown = reasons.get(name);
      return [[name, isRefusal(reason) ? reason : why]];
    }),
  );
}

function isRefusal(reason: unknown): reason is LabelRefusal {
  return typeof reason === 'object' && reason !== null && 'code' in reason;
}
