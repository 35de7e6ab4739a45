import ts from 'typescript';
import type { Text } from './word-rules';

/** Two words in a row. A literal without them is a name, a path or a value. */
const PROSE = /\p{L}[,:;]?\s+["'(]?\p{L}/u;
/** A query for the database. */
const SQL = /^\s*(?:select|insert into|update|delete from|with \w+ as|create (?:table|schema))\s/;
/** Elements whose whole content is one text, with the elements of a line in it. */
const BLOCK = /^(?:p|li|d[td]|h[1-6]|t[dh]|summary|figcaption|caption|label|legend|button)$/;
/** In place of an expression in a template or a page. */
const VALUE = 'value';

/**
 * The texts in a source file for people: errors, logs, output, descriptions and page texts. Queries,
 * lists of words and tagged templates (`String.raw` for code) have their own language.
 */
export function literalsOf(source: ts.SourceFile): Text[] {
  const found: Text[] = [];
  const visit = (node: ts.Node): void => {
    const text = textOf(node);
    if (text !== null && isProse(node, text)) found.push(asText(source, node, text));
    ts.forEachChild(node, (child) => {
      if (text === null || !isPartOfText(node, child)) visit(child);
    });
  };
  visit(source);
  return found;
}

/** The names of tests and suites in a source file. The other texts of a test are its input. */
export function testNamesOf(source: ts.SourceFile): Text[] {
  const found: Text[] = [];
  const visit = (node: ts.Node): void => {
    const name = ts.isCallExpression(node) ? nameOfTest(node) : null;
    if (name) found.push(asText(source, name.node, name.text));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const isProse = (node: ts.Node, text: string): boolean =>
  PROSE.test(text) && !SQL.test(text) && !isSplit(node);

/** True for a list of words, such as `'one two'.trim().split(' ')`. */
function isSplit({ parent }: ts.Node): boolean {
  if (ts.isParenthesizedExpression(parent)) return isSplit(parent);
  if (!ts.isPropertyAccessExpression(parent)) return false;
  return parent.name.text === 'split' || (parent.name.text === 'trim' && isSplit(parent.parent));
}

function nameOfTest({ expression, arguments: [first] }: ts.CallExpression) {
  const text = first && /^(?:test|it|describe)$/.test(rootOf(expression)) ? textOf(first) : null;
  return first && text !== null ? { node: first, text } : null;
}

/** The identifier that a call such as `it.each(rows)('name', ...)` begins with. */
function rootOf(node: ts.Expression): string {
  if (ts.isIdentifier(node)) return node.text;
  if (ts.isPropertyAccessExpression(node) || ts.isCallExpression(node))
    return rootOf(node.expression);
  return ts.isTaggedTemplateExpression(node) ? rootOf(node.tag) : '';
}

/** The text of a literal, a template, a sum of them or a block of a page. Null for every other node. */
function textOf(node: ts.Node): string | null {
  if (isBlock(node)) return textOfChildren(node).replaceAll(/\s+/g, ' ');
  if (ts.isJsxText(node)) return isInBlock(node) ? null : node.text;
  if (ts.isNoSubstitutionTemplateLiteral(node) && ts.isTaggedTemplateExpression(node.parent))
    return null;
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node)) {
    if (ts.isTaggedTemplateExpression(node.parent)) return null;
    return node.head.text + node.templateSpans.map((one) => VALUE + one.literal.text).join('');
  }
  if (!isSum(node)) return null;
  const [left, right] = [textOf(node.left), textOf(node.right)];
  return left === null && right === null ? null : (left ?? VALUE) + (right ?? VALUE);
}

const isSum = (node: ts.Node): node is ts.BinaryExpression =>
  ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken;

/** True for a side of a sum that is already in its text. */
const isPartOfText = (node: ts.Node, child: ts.Node): boolean =>
  isSum(node) && textOf(child) !== null;

const isBlock = (node: ts.Node): node is ts.JsxElement =>
  ts.isJsxElement(node) && BLOCK.test(node.openingElement.tagName.getText());

function isInBlock({ parent }: ts.Node): boolean {
  if (isBlock(parent)) return true;
  return (ts.isJsxElement(parent) || ts.isJsxFragment(parent)) && isInBlock(parent);
}

/** The words of an element, with those of links, code and such in it. */
function textOfChildren({ children }: ts.JsxElement | ts.JsxFragment): string {
  return children.map(textOfChild).join('');
}

function textOfChild(child: ts.JsxChild): string {
  if (ts.isJsxText(child)) return child.text;
  if (ts.isJsxElement(child) || ts.isJsxFragment(child)) return textOfChildren(child);
  if (ts.isJsxSelfClosingElement(child) || child.expression === undefined) return ' ';
  return textOf(child.expression) ?? VALUE;
}

/** The left column of a command's help: `--port N  port to listen on`. Its right one is an item. */
const OPTION = /^(?:.*?\S {2,}|--[\w-]+ )(?=\S)/;
/** A call of a command, `verify <file> [--csv <file>]`. */
const CALL = /\[--/;

const asText = (source: ts.SourceFile, node: ts.Node, text: string): Text => ({
  line: source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1,
  lines: text
    .split('\n')
    .map((line) => line.trim().replace(OPTION, '- '))
    .map((line) => (CALL.test(line) ? '' : line)),
});
