import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { commentsOf } from './read-comments';
import {
  hashCommentsOf,
  paragraphsOf,
  slashCommentsOf,
  styleCommentsOf,
  summariesOf,
} from './read-documents';
import { literalsOf, testNamesOf } from './read-literals';
import { faultsOfText, type Text } from './word-rules';

/** Limits of a sentence. Comments may have more. */
const MOST_WORDS = 25;
const MOST_WORDS_OF_COMMENT = 30;

type Found = { texts: Text[]; most: number };

/** The texts of the given files that break a rule of CONTRIBUTING.md, "Commits and words". */
export function checkWords(files: string[]): string[] {
  return files.flatMap((file) =>
    READERS.some(({ files: of }) => of.test(file))
      ? faultsOfWords(file, readFileSync(file, 'utf8'))
      : [],
  );
}

/** The faults of one file, as `file:line: fault`. */
export function faultsOfWords(file: string, text: string): string[] {
  return READERS.filter(({ files }) => files.test(file))
    .flatMap(({ read }) => read(file, text))
    .flatMap(({ texts, most }) => texts.flatMap((one) => faultsOfText(one, most)))
    .map(({ line, why }) => `${file}:${line}: ${why}`);
}

const READERS: { files: RegExp; read: (file: string, text: string) => Found[] }[] = [
  { files: /\.(?:tsx?|mjs|cjs)$/, read: textsOfCode },
  {
    files: /^messages\/en\/.*\.json$/,
    // A branch of a plural or a choice may end a sentence.
    read: (file, text) =>
      forPeople(literalsOf(parse(file, text.replaceAll(/(?<=[.?!])(?=[{}])/g, ' ')))),
  },
  { files: /\.md$/, read: (_, text) => forPeople(paragraphsOf(text)) },
  {
    files:
      /(?:^\.env\.example|^\.ci\/(?:run|scripts|until-ready)|\.ya?ml|\.sh|\.py|Dockerfile|Caddyfile)$/,
    read: (_, text) => forPeople(hashCommentsOf(text)),
  },
  {
    files: /\.css$/,
    read: (_, text) => [{ texts: styleCommentsOf(text), most: MOST_WORDS_OF_COMMENT }],
  },
  {
    files: /\.prisma$/,
    read: (_, text) => [{ texts: slashCommentsOf(text), most: MOST_WORDS_OF_COMMENT }],
  },
  { files: /^operation\/alerts\.yaml$/, read: (_, text) => forPeople(summariesOf(text)) },
];

function textsOfCode(file: string, text: string): Found[] {
  const source = parse(file, text);
  const isTest = /\.(?:test|spec)\.tsx?$/.test(file);
  return [
    { texts: commentsOf(source), most: MOST_WORDS_OF_COMMENT },
    ...forPeople(isTest ? testNamesOf(source) : literalsOf(source)),
  ];
}

const forPeople = (texts: Text[]): Found[] => [{ texts, most: MOST_WORDS }];

/** The kind of the language, JSON included, comes from the name of the file. */
const parse = (file: string, text: string): ts.SourceFile =>
  ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
