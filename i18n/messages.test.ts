import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import compile from 'icu-minify/compile';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { PRICE_LIST } from '@/server/payments/prices';
import { LANGUAGES } from './locales';
import { FOLDERS } from './messages';

const SOURCES = ['app', 'components'];
/**
 * Words that are the same in every language: names, units and technical terms without a
 * translation.
 */
const NAMES = new Set(
  `Quittance JavaScript Solana Phantom Solflare Backpack USDC USDT PYUSD EURC SOL USD EUR UTC API URL CSV JSON ID NFT PDF QR IP ISO
  iPhone Android Chrome Deutsch English Ethereum Irys Arweave Merkle SHA Bubblegum Metaplex Webhook Wallet Token Tokens
  Wallets Explorer DTI RPC COSE System sol Hash Memo x402 HTTP HTTPS Node Explorer Priority Validator Relay
  Swap min optional redraw Slot Total Asset STMT SOLANA PNG js --redraw`.split(/\s+/),
);
/** Words that only English has, and neither German nor Spanish. */
const ENGLISH =
  /\b(the|of|and|your|you|is|are|was|were|with|this|that|from|our|have|has|will|would|cannot|for|not|it|to|payment|receipt|seller|payer|statement)\b/i;

const branch = z.record(z.string(), z.unknown());

type Texts = Map<string, string>;
const all = new Map(LANGUAGES.map((language) => [language, readTexts(language)]));
const english = textsOf('en');

describe.each(LANGUAGES)('texts in %s', (language) => {
  const texts = textsOf(language);

  it('have exactly the keys of the English ones', () => {
    const files = readdirSync(join('messages', language));
    expect(files.toSorted()).toEqual(FOLDERS.map((folder) => `${folder}.json`).toSorted());
    expect([...texts.keys()].toSorted()).toEqual([...english.keys()].toSorted());
  });

  it('have the values and tags of the English ones', () => {
    const differing = [...texts].filter(
      ([key, text]) =>
        readText(text).places.join() !== readText(english.get(key) ?? '').places.join(),
    );
    expect(differing).toEqual([]);
  });

  it('are not empty, and have no straight quotes, which the format treats as syntax', () => {
    expect([...texts].filter(([, text]) => text.trim() === '' || /['"]/.test(text))).toEqual([]);
  });

  it('hold no English but names', () => {
    if (language === 'en') return;
    expect([...texts].filter(([key, text]) => hasEnglish(language, key, text))).toEqual([]);
  });
});

describe('the tone', () => {
  it('is neither intimate in German nor formal in Spanish', () => {
    const intimate = /\b(du|dich|dir|dein\w*|euch|euer|eure\w*)\b/i;
    expect([...textsOf('de')].filter(([, text]) => intimate.test(text))).toEqual([]);
    const personal = /\b(usted(es)?|tú|tu|tus|vos|te)\b/i;
    expect([...textsOf('es')].filter(([, text]) => personal.test(text))).toEqual([]);
  });
});

describe('every text', () => {
  it('is used by a component or page that takes its file', () => {
    const sources = SOURCES.flatMap(readSources);
    const unused = [...english.keys()].filter((full) => {
      const [folder = '', ...path] = full.split('.');
      const users = sources.filter((source) => source.includes(`'${folder}'`));
      return !users.some((source) => names(source, path));
    });
    expect(unused).toEqual([]);
  });
});

describe('prices', () => {
  it('have the words of the price list', () => {
    expect([english.get('home.rule.mint'), english.get('home.rule.statement')]).toEqual(
      PRICE_LIST.map(({ rule }) => `${rule}.`),
    );
  });
});

/** Whether a source names a key completely, or its beginning in a template: `reason.${code}`. */
function names(source: string, path: string[]): boolean {
  if (source.includes(`'${path.join('.')}'`)) return true;
  return path.some((_, at) => at > 0 && source.includes(`\`${path.slice(0, at).join('.')}.\${`));
}

function readSources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8'));
}

function textsOf(language: (typeof LANGUAGES)[number]): Texts {
  return all.get(language) ?? new Map();
}

function readTexts(language: string): Texts {
  return new Map(
    FOLDERS.flatMap((folder) => {
      const json: unknown = JSON.parse(
        readFileSync(join('messages', language, `${folder}.json`), 'utf8'),
      );
      return flat(json, folder);
    }),
  );
}

function flat(value: unknown, path: string): [string, string][] {
  if (typeof value === 'string') return [[path, value]];
  return Object.entries(branch.parse(value)).flatMap(([key, inner]) =>
    flat(inner, `${path}.${key}`),
  );
}

/**
 * The words of a text, and its values and tags with the kind of each, sorted. A compiled text is a
 * sequence of parts: a string, or an array that begins with the name of a value or a tag
 * (`icu-minify`).
 */
function readText(text: string): { words: string; places: string[] } {
  const places = new Set<string>();
  const words: string[] = [];
  const walk = (parts: unknown): void => {
    if (typeof parts === 'string') words.push(parts);
    if (!Array.isArray(parts)) return;
    for (const part of parts) {
      if (!Array.isArray(part)) {
        walk(part);
        continue;
      }
      const [name, kind, ...rest]: unknown[] = part;
      const isValue = part.length === 1 || (typeof kind === 'number' && kind !== 0);
      places.add(`${String(name)}: ${isValue ? String(kind ?? 'value') : 'tag'}`);
      if (!isValue) walk([kind, ...rest]);
      else rest.flatMap((o) => Object.values(branch.safeParse(o).data ?? {})).forEach(walk);
    }
  };
  walk(compile(text));
  return { words: words.join(' '), places: [...places].toSorted() };
}

function hasEnglish(language: string, key: string, text: string): boolean {
  const { words } = readText(text);
  // Japanese has no spaces: any Latin letters are a word.
  if (language === 'ja') return (words.match(/[A-Za-z]{2,}(?:-[A-Za-z]+)*/g) ?? []).some(isNoName);
  const plain = words.split(/[^\p{L}\d-]+/u).filter((word) => /^[A-Za-z-]{2,}$/.test(word));
  const unknown = plain.filter(isNoName);
  const isSame = text === english.get(key) && unknown.length > 0;
  return isSame || ENGLISH.test(unknown.join(' '));
}

function isNoName(word: string): boolean {
  return !NAMES.has(word);
}
