'use client';

import { api } from './api';
import type { Entries } from './check-entries';
import { useSettled } from './ui/use-settled';

/** Only texts with these are changed when they are written. */
const UNUSUAL = /[^ -~]| {2}/;

/** Returns the stored form of an entry, if it differs from the typed text. */
export function useWritten(entries: Entries): (name: keyof Entries) => string | null {
  const settled = useSettled(entries);
  const asked: Entries = Object.fromEntries(
    Object.entries(settled).filter(([, text]) => text && UNUSUAL.test(text)),
  );
  const { data } = api.web.words.useQuery(asked, {
    enabled: Object.keys(asked).length > 0,
    staleTime: Infinity,
  });
  return function written(name) {
    const [typed, words] = [entries[name], data?.[name]];
    if (typed === undefined || typed !== asked[name] || !words || !('text' in words)) return null;
    return words.text === typed.trim().normalize('NFC') ? null : words.text;
  };
}
