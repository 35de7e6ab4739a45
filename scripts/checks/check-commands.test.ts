import { describe, expect, it } from 'vitest';
import { checkCommands, faultsOfCommands } from './check-commands';
import { checkDecisions, faultsOfDecision } from './check-decisions';
import { collectCommands } from './collect-commands';
import { listFiles } from './list-files';

const commandsOf = (text: string) => collectCommands('a.md', text).map(({ command }) => command);

describe('the commands of a document', () => {
  it('are the lines of its sh blocks, joined and without remarks', () => {
    expect(
      commandsOf('```sh\nnpm ci   # all packages\n\n# nothing\ncurl -X POST \\\n  -d x\n```\n'),
    ).toEqual(['npm ci', 'curl -X POST -d x']);
    expect(commandsOf('1. Step:\n\n   ```sh\n   npm start\n   ```\n')).toEqual(['npm start']);
  });

  it('are the commands in its sentences, and no names of programs or code of other blocks', () => {
    expect(commandsOf('Run `npm run x -- y`, or `STRIKES=1 scripts/a.sh <folder>`.')).toEqual([
      'npm run x -- y',
      'STRIKES=1 scripts/a.sh <folder>',
    ]);
    expect(commandsOf('With `psql`, `npm` and `server/nft`.\n\n```ts\nnpm run x\n```\n')).toEqual(
      [],
    );
  });
});

describe('the check of commands', () => {
  const [command] = collectCommands('a.md', '`npm run x`');
  const read = (file: string) => (file.startsWith('a.') ? "runs('npm run x')" : null);
  const faults = (proofs: Parameters<typeof faultsOfCommands>[1]) =>
    faultsOfCommands(command === undefined ? [] : [command], proofs, read);

  it('finds nothing in the documents', () => {
    expect(checkCommands(listFiles())).toEqual([]);
  });

  it('takes a command that a test holds as printed, or reads from its document', () => {
    expect(faults([{ commands: ['npm run x'], file: 'a.test.ts' }])).toEqual([]);
    expect(faults([{ commands: ['npm run x'], file: 'a.test.ts', says: 'runs(' }])).toEqual([]);
  });

  it('takes the beginning of a long command for the whole', () => {
    expect(faults([{ commands: ['npm run…'], file: 'a.test.ts', says: 'runs(' }])).toEqual([]);
    expect(faults([{ commands: ['npm run y…'], file: 'a.test.ts', says: 'runs(' }])).toHaveLength(
      2,
    );
  });

  it('takes an address at the end of a command for itself, and no beginning of others', () => {
    const printed = ['npm run x --rpc https://…', 'npm run x --rpc https://… --csv a.csv'];
    const documented = printed.flatMap((one) => collectCommands('a.md', `\`${one}\``));
    const [first = '', second = ''] = printed;
    const proven = (commands: string[]) =>
      faultsOfCommands(documented, [{ commands, file: 'a.test.ts', says: 'runs(' }], read);
    expect(proven([first, second])).toEqual([]);
    expect(proven([first])).toEqual([expect.stringContaining(`no test runs \`${second}\``)]);
  });

  it('refuses a command that no test runs', () => {
    expect(faults([])).toEqual([expect.stringContaining('a.md:1: no test runs `npm run x`')]);
  });

  it('refuses a proof of a command that no document prints', () => {
    const proofs = [{ commands: ['npm run x', 'npm run y'], file: 'a.test.ts', says: 'runs(' }];
    expect(faults(proofs)).toEqual([expect.stringContaining('no document prints `npm run y`')]);
  });

  it.each([
    ['is not there', { file: 'b.test.ts' }],
    ['is no test', { file: 'a.ts' }],
    ['does not say so', { file: 'a.test.ts', says: 'it runs' }],
  ])('refuses a proof whose file %s', (_, proof) => {
    expect(faults([{ commands: ['npm run x'], ...proof }])).toHaveLength(1);
  });
});

describe('the check of decisions', () => {
  const page = (lines: string[]) => lines.join('\n\n');
  const WHOLE = ['# A', '**Context.** B.', '**Options.**', '- C', '**Choice.** D.', '**Cost.** E.'];
  const faults = (lines: string[], index = '(0001-a.md)') =>
    faultsOfDecision('docs/decisions/0001-a.md', page(lines), index);

  it('finds nothing in the documents', () => {
    expect(checkDecisions(listFiles())).toEqual([]);
  });

  it('takes a page with its four parts', () => {
    expect(faults(WHOLE)).toEqual([]);
  });

  it.each(['Context', 'Options', 'Choice', 'Cost'])('refuses one without %s', (part) => {
    const rest = WHOLE.map((line) => (line.startsWith(`**${part}.`) ? 'F.' : line));
    expect(faults(rest)).toEqual([expect.stringContaining(`no part "**${part}.**"`)]);
  });

  it('refuses one that is too short, too long or not in the index', () => {
    expect(faultsOfDecision('docs/decisions/0001-a.md', WHOLE.join('\n'), '(0001-a.md)')).toEqual([
      expect.stringContaining('6 lines'),
    ]);
    expect(faults([...WHOLE, ...Array.from({ length: 11 }, () => 'F.')])).toHaveLength(1);
    expect(faults(WHOLE, '')).toEqual([expect.stringContaining('not in docs/decisions/README.md')]);
  });
});
