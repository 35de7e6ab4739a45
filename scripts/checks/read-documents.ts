import type { Text } from './word-rules';

/** Paragraphs, headings, items and cells of a page in Markdown. Each stands in one line. */
export function paragraphsOf(text: string): Text[] {
  const paragraphs: Text[] = [];
  let isCode = false;
  for (const [at, raw] of text.split('\n').entries()) {
    if (/^\s*(?:```|~~~)/.test(raw)) isCode = !isCode;
    if (isCode) continue;
    const plain = raw
      .replaceAll(/<!--.*?-->|<\/?[a-z][^>]*>|\*\*|\]\([^)]*\)|!?\[/g, '')
      .replace(/^\s*(?:#+|>|[-*]|\d+\.) +/, '');
    const cells = /^\s*\|/.test(raw) ? plain.split('|') : [plain];
    for (const cell of cells) paragraphs.push({ line: at + 1, lines: [cell.trim()] });
  }
  return paragraphs;
}

/** The texts of alerts in YAML. */
export function summariesOf(text: string): Text[] {
  return text.split('\n').flatMap((line, at) => {
    const summary = /^\s*(?:summary|description): (.*)$/.exec(line)?.[1];
    return summary === undefined
      ? []
      : [{ line: at + 1, lines: [summary.replaceAll(/^'|'$/g, '')] }];
  });
}

/** Comments that begin with `#`. A setting and a heading in one end a sentence. */
export function hashCommentsOf(text: string): Text[] {
  const lines = text.split('\n').map((line) => {
    const comment = /^\s*# ?(?!!)(.*)$/.exec(line)?.[1] ?? '';
    return /^(?:[A-Z][A-Z0-9_]+=|-{4})/.test(comment) ? '' : comment.trim();
  });
  return [{ line: 1, lines }];
}

/** Comments of a style sheet. */
export function styleCommentsOf(text: string): Text[] {
  return [...text.matchAll(/\/\*([\s\S]*?)\*\//g)].map(({ 1: comment = '', index }) => ({
    line: text.slice(0, index).split('\n').length,
    lines: comment.split('\n').map((line) => line.replace(/^\s*\* ?/, '').trim()),
  }));
}

/** Comments of a database schema, which begin with two or three slashes. */
export function slashCommentsOf(text: string): Text[] {
  return [
    { line: 1, lines: text.split('\n').map((one) => /^\s*\/\/+ ?(.*)$/.exec(one)?.[1] ?? '') },
  ];
}
