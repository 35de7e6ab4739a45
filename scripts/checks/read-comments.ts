import ts from 'typescript';
import type { Text } from './word-rules';

/** Comments for a tool have its own words. */
const FOR_TOOLS = /^(?:eslint-|prettier-|@ts-|v8 |global |@vitest|reference |#)/;

/** The comments of a source file. Lines of `//` in a row are one comment. */
export function commentsOf(source: ts.SourceFile): Text[] {
  const comments: (Text & { isLine: boolean })[] = [];
  for (const [pos, end] of rangesOf(source)) {
    const raw = source.text.slice(pos, end);
    const line = source.getLineAndCharacterOfPosition(pos).line + 1;
    const lines = raw
      .replace(/^\/\*\*?|\*\/$/g, '')
      .split('\n')
      .map((one) => one.replace(/^\s*(?:\*|\/\/+) ?/, '').trim());
    const isLine = raw.startsWith('//');
    const last = comments.at(-1);
    if (isLine && last?.isLine && last.line + last.lines.length === line) last.lines.push(...lines);
    else if (!FOR_TOOLS.test(lines.join(' ').trim())) comments.push({ line, lines, isLine });
  }
  return comments;
}

/** Places of comments: everything that looks like one and is not inside a text or an expression. */
function* rangesOf(source: ts.SourceFile): Generator<[pos: number, end: number]> {
  const texts = textsOf(source);
  const comment = /\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
  let next = 0;
  for (let found = comment.exec(source.text); found; found = comment.exec(source.text)) {
    while ((texts[next]?.[1] ?? Infinity) <= found.index) next += 1;
    const [start, end] = texts[next] ?? [Infinity, Infinity];
    if (start <= found.index) comment.lastIndex = end;
    else yield [found.index, comment.lastIndex];
  }
}

const TEXTS: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.StringLiteral,
  ts.SyntaxKind.NoSubstitutionTemplateLiteral,
  ts.SyntaxKind.TemplateHead,
  ts.SyntaxKind.TemplateMiddle,
  ts.SyntaxKind.TemplateTail,
  ts.SyntaxKind.RegularExpressionLiteral,
  ts.SyntaxKind.JsxText,
]);

function textsOf(source: ts.SourceFile): [start: number, end: number][] {
  const texts: [number, number][] = [];
  const visit = (node: ts.Node): void => {
    if (TEXTS.has(node.kind)) texts.push([node.getStart(source), node.end]);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return texts.sort(([a], [b]) => a - b);
}
