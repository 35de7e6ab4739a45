import { expect, it, vi } from 'vitest';
import { printReport } from '../cli/print-report';
import type { CheckLine, Outcome } from './check-line';
import { NOT_PROVABLE, verdictOf } from './verdict';

const lines = (...outcomes: Outcome[]): CheckLine[] =>
  outcomes.map((outcome, at) => ({ id: `line_${at}`, title: 'A title', outcome, detail: 'seen' }));

it('one failed line means not genuine, one unknown line or no line means not checked', () => {
  expect(verdictOf(lines('held', 'held'))).toBe('genuine');
  expect(verdictOf(lines('held', 'unknown', 'failed'))).toBe('not genuine');
  expect(verdictOf(lines('held', 'unknown'))).toBe('could not be checked');
  expect(verdictOf([])).toBe('could not be checked');
});

it('text and JSON have the same verdict, every check with its details, and what nobody can prove', () => {
  const said: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((text: string) => void said.push(text));
  const report = { lines: lines('held', 'unknown'), notes: ['A note.'] };
  printReport(report, { json: false });
  const text = said.splice(0).join('\n');
  printReport(report, { json: true });
  log.mockRestore();
  expect(text).toMatch(/^held {5}line_0 +A title\n +seen\nunknown {2}line_1 /);
  expect(text).toContain('2 checks: 1 held, 0 failed, 1 unknown.');
  expect(text).toMatch(/Not provable by anyone:\n- Labels/);
  expect(text).toMatch(/Verdict: could not be checked$/);
  expect(JSON.parse(said.join(''))).toEqual({
    verdict: 'could not be checked',
    exit_code: 2,
    checks: report.lines,
    notes: ['A note.'],
    not_provable: NOT_PROVABLE,
  });
});
