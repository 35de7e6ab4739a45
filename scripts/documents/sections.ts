import { readFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';

/** A generated part of a page. Everything around its two marks is written by hand. */
export type Section = { page: string; name: string; text: string };
/** A page's text now, and the text that the code requires. */
export type Page = { file: string; was: string; wanted: string };

const END = '<!-- end of generated text -->';
const beginOf = (name: string) => `<!-- generated: ${name} -->`;

/**
 * The pages of these sections, with every section rewritten. Throws when a page lacks the marks of
 * one.
 */
export async function fillPages(sections: readonly Section[]): Promise<Page[]> {
  const files = [...new Set(sections.map(({ page }) => page))];
  return Promise.all(
    files.map(async (file) => {
      const was = readFileSync(file, 'utf8');
      const filled = sections
        .filter(({ page }) => page === file)
        .reduce((text, section) => fillSection(text, section), was);
      const options = await resolveConfig(file);
      return { file, was, wanted: await format(filled, { ...options, parser: 'markdown' }) };
    }),
  );
}

/** A page with the text of one section replaced. */
export function fillSection(page: string, { page: file, name, text }: Section): string {
  const begins = page.indexOf(beginOf(name));
  const ends = page.indexOf(END, begins);
  if (begins < 0 || ends < 0)
    throw new Error(`${file} has no place for "${name}". Add ${beginOf(name)} and ${END}.`);
  const head = page.slice(0, begins + beginOf(name).length);
  return `${head}\n\n${text}\n\n${page.slice(ends)}`;
}
