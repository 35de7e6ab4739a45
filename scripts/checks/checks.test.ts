import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkDocuments, faultsOfPages } from './check-documents';
import { checkFiles } from './check-files';
import { checkLicences, judgeLicences } from './check-licences';
import { checkLinks, faultsOfLinks } from './check-links';
import { listFiles } from './list-files';
import { checkOperations, compareRoutes } from './check-operations';
import { checkSettings, compareSettings } from './check-settings';
import { fillSection } from '../documents/sections';
import { misplacedMarks, settingsSections } from '../documents/settings-section';
import { checkWalk, faultsOfWalk } from './check-walk';
import { checkWriters, compareWriters } from './check-writers';
import { tempFolder } from '@/tests/harness/temp-folder';

/** Faults of one file, under a name relative to a fresh folder. */
function faultsOfFile(name: string, text: string): string[] {
  const dir = tempFolder('checks');
  const file = join(dir, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  process.chdir(dir);
  try {
    return checkFiles([name]);
  } finally {
    process.chdir(root);
  }
}
const root = process.cwd();

describe('the check of files', () => {
  it.each([
    'server/read-transfer.ts',
    'server/read-transfer.test.ts',
    'app/receipt/[receiptId]/image.png/route.ts',
    'app/mint/[...path]/route.ts',
    'app/.well-known/quittance.json/route.ts',
    'eslint.config.mjs',
    '.dependency-cruiser.cjs',
  ])('accepts %s', (name) => {
    expect(faultsOfFile(name, 'export {};\n')).toEqual([]);
  });

  it.each([
    'server/readTransfer.ts',
    'server/Read.ts',
    'server/read_transfer.ts',
    'server/Rooms/a.ts',
  ])('refuses the name %s', (name) => {
    expect(faultsOfFile(name, 'export {};\n')).toHaveLength(1);
  });

  it('refuses a file of more than 400 lines', () => {
    expect(faultsOfFile('server/long.ts', '\n'.repeat(399))).toEqual([]);
    expect(faultsOfFile('server/long.ts', '\n'.repeat(400))).toHaveLength(1);
  });

  it('refuses folders of one machine and download addresses in the lock', () => {
    const home = ['', 'home', 'someone', 'x'].join('/');
    expect(faultsOfFile('server/a.ts', `const a = '${home}';`)).toHaveLength(1);
    expect(faultsOfFile('notes.md', `see ${home}`)).toHaveLength(1);
    expect(faultsOfFile('server/a.ts', `const a = 'https://x.example.com${home}';`)).toEqual([]);
    const lock = '"resolved": "https://registry.example.com/a.tgz"';
    expect(faultsOfFile('package-lock.json', lock)).toHaveLength(1);
  });

  it.each(['npx', 'npx --yes', 'npm exec', 'bunx'])(
    'refuses `%s` of our unpublished package',
    (run) => {
      for (const name of ['quittance-verify', '@quittance/verify'])
        expect(faultsOfFile('README.md', `${run} ${name} a.json`)).toHaveLength(1);
      expect(faultsOfFile('README.md', `${run} playwright install`)).toEqual([]);
      expect(faultsOfFile('README.md', 'npm run verify -- a.json')).toEqual([]);
    },
  );
});

describe('the check of settings', () => {
  it('passes for this repository', () => {
    expect(checkSettings()).toEqual([]);
  });

  it('names settings that are unexplained, unread or without a comment', () => {
    const example = [
      '# What AA is.',
      'AA=1',
      '# BB=',
      '',
      'CC=3',
      '',
      '# What DD is.',
      '# DD=',
    ].join('\n');
    const faults = compareSettings({ example, read: ['AA', 'BB', 'CC', 'EE'] });
    expect(faults.map((fault) => fault.replace('.env.example: ', ''))).toEqual([
      expect.stringMatching(/^EE is read but not explained/),
      expect.stringMatching(/^DD is read by nothing/),
      expect.stringMatching(/^CC has no comment/),
    ]);
  });
});

describe('generated parts of documents', () => {
  it('match the code', async () => {
    expect(await checkDocuments()).toEqual([]);
  });

  it('are replaced between their marks and nowhere else', () => {
    const page = 'Before.\n<!-- generated: a -->\nold\n<!-- end of generated text -->\nAfter.';
    const filled = fillSection(page, { page: 'docs/x.md', name: 'a', text: 'new' });
    expect(filled).toBe(
      'Before.\n<!-- generated: a -->\n\nnew\n\n<!-- end of generated text -->\nAfter.',
    );
    expect(() => fillSection('none', { page: 'docs/x.md', name: 'a', text: '' })).toThrow(
      'docs/x.md has no place for "a"',
    );
  });

  it('name the first line that differs', () => {
    const [was, wanted] = ['one\ntwo\nthree', 'one\ntwo\nfour'];
    expect(faultsOfPages([{ file: 'docs/x.md', was, wanted }])).toEqual([
      expect.stringMatching(/^docs\/x.md:3: .*npm run docs/),
    ]);
  });

  it('list a setting with its default and whether it is required, like its schema and the start say', () => {
    const example = [
      '# ---- Part ----',
      '# (required) Where it is.',
      '# It is https.',
      '# PUBLIC_URL=',
      '',
      '# The port.',
      '# PORT=3000',
      '# Not of the service.',
      '# CHAIN_PORT=8899',
    ].join('\n');
    expect(settingsSections(example).map(({ text }) => text)).toEqual([
      '### Part\n\n- `PUBLIC_URL` (required): Where it is. It is https.\n- `PORT` (1 to 65535, default `3000`): The port.',
    ]);
    const marks = ['# (required) The port.', '# PORT=', '', '# Where it is.', '# PUBLIC_URL='];
    expect(misplacedMarks(marks.join('\n'))).toEqual([
      '.env.example: remove (required) from the comment of PORT',
      '.env.example: add (required) to the comment of PUBLIC_URL',
    ]);
  });
});

describe('the check of licences', () => {
  const lock = (entry: object) =>
    JSON.stringify({ packages: { '': {}, 'node_modules/a/node_modules/@x/b': entry } });

  it('finds no fault in the packages that the service ships', () => {
    expect(checkLicences()).toEqual([]);
  });

  it.each([
    ['SEE LICENSE IN LICENSE.md', true],
    ['UNLICENSED', true],
    ['GPL-3.0', true],
    ['MIT AND Proprietary', true],
    ['(GPL-3.0 OR MIT)', false],
    ['Apache-2.0', false],
  ])('judges %s', (license, isFault) => {
    expect(judgeLicences(lock({ license })).map((line) => line.split(' ')[0])).toEqual(
      isFault ? ['@x/b'] : [],
    );
  });

  it('refuses a package without a licence, and ignores those that are only for development', () => {
    expect(judgeLicences(lock({}))[0]).toContain('@x/b names no licence');
    expect(judgeLicences(lock({ dev: true }))).toEqual([]);
  });
});

describe('the check of operations', () => {
  it('passes for this repository', () => {
    expect(checkOperations(listFiles())).toEqual([]);
  });

  it('names the route file without an operation, the one that serves another, and the path without a file', () => {
    const route = (file: string, path: string) => ({
      file,
      text: `export const x = serve('${path}');`,
    });
    const faults = compareRoutes({
      routes: [
        route('app/receipt/[receiptId]/route.ts', '/receipt/{receipt_id}'),
        route('app/mint/route.ts', '/pricing'),
        route('app/extra/route.ts', '/extra'),
      ],
      paths: ['/receipt/{receipt_id}', '/mint', '/pricing'],
    });
    expect(faults).toEqual([
      expect.stringMatching(/^app\/mint\/route.ts: must serve '\/mint'/),
      expect.stringMatching(/^app\/extra\/route.ts: no operation/),
      expect.stringMatching(/\/pricing has no route file/),
    ]);
  });
});

describe('the check of the walk through the code', () => {
  const most = { title: 'walk', files: 2, changes: 1 };
  const step = (file: string, name = 'it') => `- \`${file}\` \`${name}\`: why\n`;
  const read = (file: string) => (file === 'gone.ts' ? null : 'export const it = 1;');

  it('passes for this repository', () => {
    expect(checkWalk()).toEqual([]);
  });

  it.each([
    ['a file that is gone', step('gone.ts'), 'is not there'],
    ['a name that is not in it', step('a/a.ts', 'other'), 'has no other'],
    ['too many files', step('a/a.ts') + step('a/b.ts') + step('a/c.ts'), 'more than 2 files'],
    [
      'too many changes',
      step('a/a.ts') + step('b/b.ts') + step('a/a.ts'),
      'changes folder 2 times',
    ],
    ['no steps', 'none', 'lists no steps'],
  ])('refuses %s', (_what, section, why) => {
    expect(faultsOfWalk(section, most, read).join()).toContain(why);
  });
});

describe('the check of links', () => {
  const there: Record<string, string> = {
    'README.md': '# One\n\n```md\n# Two\n```\n',
    'docs/a.md': '## Taking a `POST /mint`, twice\n',
    'server/a.ts': '',
  };
  const faultsOf = (text: string) =>
    faultsOfLinks('docs/b.md', text, (file) => there[file] ?? null);

  it('passes for this repository', () => {
    expect(checkLinks(listFiles())).toEqual([]);
  });

  it.each([
    ['a file that is gone', 'see\n[it](gone.md)', 'docs/b.md:2: the link gone.md leads nowhere'],
    ['an image that is gone', '![it](../images/a.png)', 'leads nowhere'],
    ['an image of HTML that is gone', '<img src="images/a.png" />', 'leads nowhere'],
    [
      'a heading that is gone',
      '[it](a.md#taking-a-post)',
      'a heading that docs/a.md does not have',
    ],
    ['a heading that is in a block of code', '[it](../README.md#two)', 'does not have'],
    ['a missing heading in the same file', '# Here\n[it](#there)', 'does not have'],
    ['a file of code that is gone', 'see `server/gone.ts`', 'server/gone.ts is not there'],
  ])('refuses %s', (_what, text, why) => {
    const faults = faultsOf(text);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(why);
  });

  it.each([
    '[it](https://example.com/gone.md) [mail](mailto:a@example.com)',
    '[it](a.md#taking-a-post-mint-twice), [up](../README.md#one)',
    '# Here\n[it](#here)',
    '```sh\n[it](gone.md)\n```',
    'see `server/a.ts` and `[it](gone.md)`',
  ])('accepts %j', (text) => {
    expect(faultsOf(text)).toEqual([]);
  });
});

describe('the check of each table’s writer', () => {
  const model = (name: string, table: string) =>
    `model ${name} {\n  id String @id\n\n  @@map("${table}")\n}\n`;
  const schema = [
    { name: 'nft.prisma', text: model('Mint', 'mints') + model('MintAttempt', 'mint_attempts') },
    { name: 'payments-ledger.prisma', text: model('LedgerHold', 'ledger_holds') },
    { name: 'base.prisma', text: model('AuditEntry', 'audit_log') },
  ];
  const faultsOf = (file: string, text: string) =>
    compareWriters({ schema, sources: [{ file, text }] });

  it('passes for this repository', () => {
    expect(checkWriters(listFiles())).toEqual([]);
  });

  it.each([
    [
      'server/receipts/a.ts',
      '\nawait tx.mint.updateMany({});',
      'a.ts:2: writes mints',
      'server/nft;',
    ],
    ['server/jobs/a.ts', 'await db\n  .mint.create({});', 'writes mints', 'server/nft;'],
    [
      'server/admin/a.ts',
      'sql`with a as (update mints\nset x = 1)`',
      'writes mints',
      'server/nft;',
    ],
    ['scripts/a.ts', 'sql`INSERT INTO  mint_attempts (id)`', 'mint_attempts', 'server/nft;'],
    ['server/nft/a.ts', 'sql`delete from ledger_holds`', 'ledger_holds', 'server/payments;'],
    ['server/nft/a.ts', 'tx.auditEntry.create({})', 'audit_log', 'server/db;'],
    ['server/nft/a.ts', 'sql`insert into ${table} (id)`', 'does not name', 'write its name out'],
  ])('refuses in %s %s', (file, text, what, where) => {
    const faults = faultsOf(file, text);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(what);
    expect(faults[0]).toContain(where);
  });

  it.each([
    ['server/nft/a.ts', 'tx.mint.create({}); sql`update mint_attempts set x = 1`'],
    ['server/payments/ledger/a.ts', 'tx.ledgerHold.upsert({})'],
    ['server/db/audit.ts', 'tx.auditEntry.create({})'],
    [
      'server/receipts/a.ts',
      'tx.mint.findMany({}); sql`select * from mints for update skip locked`',
    ],
    ['server/receipts/a.ts', '/** Does not update mints. */\n// insert into mints\n'],
  ])('accepts in %s %s', (file, text) => {
    expect(faultsOf(file, text)).toEqual([]);
  });
});
