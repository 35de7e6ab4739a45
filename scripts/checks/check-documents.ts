import { generatedPages } from '../documents/all-sections';
import type { Page } from '../documents/sections';

/** The generated parts of documents, and the reference of the page /docs, match the code. */
export async function checkDocuments(): Promise<string[]> {
  return faultsOfPages(await generatedPages());
}

/** The first line in which each page differs. */
export function faultsOfPages(pages: readonly Page[]): string[] {
  return pages.flatMap(({ file, was, wanted }) => {
    if (was === wanted) return [];
    const [given, right] = [was.split('\n'), wanted.split('\n')];
    const at = right.findIndex((line, i) => line !== given[i]);
    return [`${file}:${at + 1}: the code says something else; run \`npm run docs\``];
  });
}
