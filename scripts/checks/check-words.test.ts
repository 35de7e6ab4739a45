import { describe, expect, it } from 'vitest';
import { faultsOfWords } from './check-words';

const faultsOf = (text: string) => faultsOfWords('a.ts', text);
const words = (count: number) => Array.from({ length: count }, (_, at) => `word${at}`).join(' ');

describe('the check of words', () => {
  it.each([
    ['// What it gives.', 'What'],
    ['/** Who pays. */', 'Who'],
    ['/** Whom it concerns. */', 'Whom'],
    ['/** Whoever asks may read it. */', 'Whoever'],
    ['/** That a node lacks it proves nothing. */', 'That'],
    ['/** A sum. Of where it came from nothing is kept. */', 'Of where'],
    ['/** It waits, since the node is down. */', ', since'],
    ['/** It waits, as it may still land. */', ', as it'],
    ['// It is read twice, as only both agree.', ', as only'],
    ['// Fixed or mended later.', 'mended'],
    ['// The node told another slot.', 'told'],
    ['// A tree with room.', 'room'],
    ['// A picture of the receipt.', 'picture'],
    ['// It is on its way.', 'on its way'],
    ['// It starts by itself.', 'by itself'],
    ['// A history that was gone through.', 'gone through'],
    ['// It gives back the rent.', 'gives back'],
    ['// Kept for good.', 'for good'],
    ['// Read anew.', 'anew'],
    ['// One look costs a call.', 'One look'],
    ['// Whatever the node says counts.', 'Whatever'],
  ])('refuses %s', (text, found) => {
    const faults = faultsOf(text);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(`a.ts:1: "${found}": `);
  });

  it.each([
    '// The answer of the node.',
    '// What if it is down?',
    '// The code `told` and the text "What it says" keep their words.',
    '// It was open since noon, and a look-up is cached.',
    '// eslint-disable-next-line no-told -- since v2',
    "const told = room.picture['twin']; // The names of the code.",
    "const words = 'room told amiss'.trim().split(' ');",
    'const text = code`What is told ${1} // anew`;',
    'const text = code`What is told`;',
    'const rule = /\\/\\/ told/;',
    "it('works', () => log('told'));",
  ])('accepts %s', (text) => {
    expect(faultsOf(text)).toEqual([]);
  });

  it('reads a comment inside of a page once', () => {
    const page = '<p title="// One">/* One */ // two</p>';
    expect(faultsOfWords('a.tsx', `const a = ${page};\n`)).toEqual([]);
    expect(faultsOfWords('a.tsx', `const a = <p>{/* What is told. */}</p>;\n`)).toHaveLength(2);
  });

  it('refuses a sentence of more than 30 words in a comment, and none of 30', () => {
    expect(faultsOf(`// ${words(30)}. ${words(30)}.`)).toEqual([]);
    expect(faultsOf(`// ${words(31)}.`)).toEqual([
      expect.stringMatching(/^a.ts:1: a sentence has 31 words, more than 30: split it/),
    ]);
  });

  it('reads a sentence over several lines, and ends it at blank lines and items of a list', () => {
    expect(faultsOf(`const a = 1;\n// ${words(20)}\n// ${words(11)}.`)[0]).toContain('a.ts:2: ');
    expect(faultsOf(`/**\n * ${words(30)}\n *\n * ${words(11)}\n */`)).toEqual([]);
    expect(faultsOf(`/**\n * ${words(30)}:\n * - ${words(30)}\n * 1. ${words(30)}\n */`)).toEqual(
      [],
    );
    expect(faultsOf(`// ${words(30)}\nconst a = 1;\n// ${words(11)}`)).toEqual([]);
  });

  it('names the line in which the sentence begins', () => {
    expect(faultsOf('const a = 1;\n\n/**\n * A sum.\n * What it holds.\n */')[0]).toContain(
      'a.ts:5: ',
    );
  });
});

const bad = 'A payer is told.';

describe('the check of words reads', () => {
  it.each([
    ['a page', 'app/page.tsx', `const a = <p>${bad}</p>;`],
    ['a link in a page', 'app/page.tsx', `const a = <p>One <a href="/">${bad}</a></p>;`],
    ['a page without a paragraph', 'app/page.tsx', `const a = <div>${bad}</div>;`],
    ['an attribute of a page', 'app/page.tsx', `const a = <p title="${bad}" />;`],
    ['the error catalogue', 'server/error-catalogue.ts', `const E = { a: { cause: '${bad}' } };`],
    ['a thrown error', 'server/a.ts', `throw new Error(\`${bad.replace('payer', '${who}')}\`);`],
    ['a returned error', 'server/a.ts', `const a = () => ({ ok: false, reason: '${bad}' });`],
    ['a log', 'server/a.ts', `log().warn({ event: 'a' }, '${bad}');`],
    ['the help of a command', 'scripts/a.ts', `const HELP = \`run\n\n  --port N  ${bad}\`;`],
    ['a package', 'packages/verify/src/a.ts', `console.log('${bad}');`],
    ['a description of a schema', 'server/a.ts', `z.string().describe('${bad}');`],
    ['a meta of a schema', 'server/a.ts', `z.string().meta({ description: '${bad}' });`],
    ['a comment of an import rule', '.dependency-cruiser.cjs', `module.exports = '${bad}';`],
    ['a text of a page', 'messages/en/a.json', `{ "told": { "room": "${bad}" } }`],
    ['a document', 'docs/a.md', `# One\n\n- ${bad}\n`],
    ['a cell of a table', 'README.md', `| one | ${bad} |`],
    ['a comment of a setting', '.env.example', `# ${bad}\n# ROOM=one two\n`],
    ['a comment of a shell script', 'scripts/a.sh', `echo told # one\n  # ${bad}\n`],
    ['a comment of a style sheet', 'app/a.css', `.a {\n  /* One. */\n}\n/*\n * ${bad}\n */`],
    ['a comment of the schema', 'prisma/a.prisma', `model A {\n  /// ${bad}\n  told Int\n}`],
    ['an alert', 'operation/alerts.yaml', `annotations:\n  summary: '${bad}'\n`],
    ['a name of a test', 'server/a.test.ts', `it('${bad}', () => {});`],
    ['a name of a suite', 'e2e/a.spec.ts', `test.describe('${bad}', () => {});`],
    ['a name of a plain suite', 'a.test.ts', `describe('${bad}', () => {});`],
    ['a name of a table of tests', 'a.test.ts', `it.each([1])('${bad}', () => {});`],
    ['a name of a step', 'e2e/a.spec.ts', `await test.step('${bad}', async () => {});`],
  ])('%s', (_, file, text) => {
    expect(faultsOfWords(file, text)).toEqual([expect.stringContaining('"told": write')]);
  });

  it.each([
    ['the input of a test', 'a.test.ts', `it('one', () => read('${bad}'));`],
    ['a text in another language', 'messages/de/a.json', `{ "a": "${bad}" }`],
    ['code in a document', 'docs/a.md', '```ts\n// told\n```\n`told` and [one](told.md#what)'],
    ['a query', 'server/a.ts', "await db.query('select told from room where picture = 1');"],
  ])('but not %s', (_, file, text) => {
    expect(faultsOfWords(file, text)).toEqual([]);
  });

  it('a sum of literals and a template as one text', () => {
    const long = `throw new Error('${words(20)} ' + \`${words(3)} \${a} ${words(2)}\`);`;
    expect(faultsOfWords('a.ts', long)).toEqual([expect.stringContaining('has 26 words')]);
  });

  it('a paragraph of a page as one text, with its links, code and values', () => {
    const link = `<a href="/">${words(20)}</a>`;
    const page = `const a = <p>\n  ${words(3)} ${link}\n  {one.two}{' '}\n  {name}</p>;`;
    expect(faultsOfWords('a.tsx', page)).toEqual([]);
    expect(faultsOfWords('a.tsx', page.replace('</p>', ` ${words(1)}</p>`))).toEqual([
      expect.stringContaining('has 26 words'),
    ]);
    expect(faultsOfWords('a.tsx', `const a = <div><p>${words(25)}</p>${link}</div>;`)).toEqual([]);
  });

  it('every text but a comment with a limit of 25 words', () => {
    const page = (count: number) => faultsOfWords('docs/a.md', `${words(count)}.`);
    expect(page(25)).toEqual([]);
    expect(page(26)).toEqual([expect.stringContaining('26 words, more than 25')]);
  });

  it('each line of a document and of a help as a paragraph', () => {
    expect(
      faultsOfWords(
        'a.md',
        `# ${words(20)}\n\n${words(20)}\n- ${words(20)}\n| ${words(20)} | ${words(20)} |`,
      ),
    ).toEqual([]);
    const help = `const A = \`a <file> [--b ${words(30)}]\n  --b  ${words(20)}\n  --c  ${words(20)}\`;`;
    expect(faultsOfWords('a.ts', help)).toEqual([]);
  });

  it('a branch of a choice as a sentence of its own', () => {
    const text = `${words(20)}.{a, select, b { ${words(15)}.} other {}} ${words(20)}.`;
    expect(faultsOfWords('messages/en/a.json', `{ "a": "${text}" }`)).toEqual([]);
  });
});
