import { readFileSync } from 'node:fs';
import type { Language } from '@/i18n/locales';

/** The texts of a language by file and key: `textsIn('de')('wallet.connect')`. Throws on unknown keys. */
export function textsIn(language: Language): (path: string) => string {
  return (path) => {
    const [file = '', ...keys] = path.split('.');
    const texts: unknown = JSON.parse(readFileSync(`messages/${language}/${file}.json`, 'utf8'));
    const found = keys.reduce((part: unknown, key) => Object(part)[key], texts);
    if (typeof found !== 'string') throw new Error(`${language} has no text ${path}`);
    return found;
  };
}

/** Matches names that start with a text's words before its first value. */
export function beginning(text: string): RegExp {
  const words = text.split(/[{<]/)[0] ?? '';
  return new RegExp(`^${words.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}`);
}
