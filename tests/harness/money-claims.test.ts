import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MONEY_CLAIMS, NO_CLAIMS } from './money-claims';

/** Text without its line breaks. */
const flat = (text: string) => text.replace(/\s+/g, ' ');
const section = (file: string, from: string, to: string) => {
  const text = readFileSync(file, 'utf8');
  return flat(text.slice(text.indexOf(from), text.indexOf(to)));
};

describe('the documents’ claims about money', () => {
  it('are each attacked by a test, sentence by sentence of docs/payments.md', () => {
    let rest = section('docs/payments.md', '`@x402/fetch`, `x402-fetch`', '## More');
    for (const { claim } of [...MONEY_CLAIMS, ...NO_CLAIMS.map((words) => ({ claim: words }))]) {
      expect(rest).toContain(claim);
      rest = rest.replace(claim, ' ');
    }
    // A new sentence in this section needs a test and an entry in the list of claims.
    expect(rest.replaceAll('- ', '').trim()).toBe('');
  });

  it.each(MONEY_CLAIMS.flatMap(({ attacks }) => attacks))(
    'name a test of %s: %s',
    (file, title) => {
      expect(readFileSync(file, 'utf8')).toContain(title);
    },
  );

  it('are each attacked by a test, line by line of the lists of docs/security.md', () => {
    const [, lists = ''] = readFileSync('docs/security.md', 'utf8').split('\n## ');
    const rows = lists.split('\n').filter((line) => line.startsWith('- '));
    expect(rows.length).toBeGreaterThan(28);
    for (const row of rows) {
      const [, shownBy = ''] = row.split(' Shown by ');
      const files = [...shownBy.matchAll(/`([\w./*-]+\.(?:ts|cjs))`(?:: "([^"]+)")?/g)];
      expect(files, row).not.toEqual([]);
      for (const [, file = '', title] of files) {
        if (file.includes('*')) continue;
        expect(existsSync(file), `${file} in ${row}`).toBe(true);
        if (title !== undefined) expect(readFileSync(file, 'utf8'), row).toContain(title);
      }
    }
  });
});
