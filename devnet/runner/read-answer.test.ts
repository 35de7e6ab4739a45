import { expect, test } from 'vitest';
import { readAnswer, readFailure } from './read-answer';

const NOW = new Date('2026-11-28T00:00:00Z');
const answer = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  readAnswer(
    { status, body: JSON.stringify(body), headers: { 'x-inngest-sdk': 'js', ...headers } },
    NOW,
  );
const step = (op: string, id: string, more: object = {}) => ({ op, id, ...more });
const retry = { kind: 'retry', final: false, afterMs: null };

test('a page that is not from the SDK is a failed try, whatever its status', () => {
  const page = readAnswer({ status: 200, body: '"ok"', headers: {} }, NOW);
  expect(page).toMatchObject({ steps: [], next: retry });
});

test('200 is the result of the function, 500 an error outside of steps', () => {
  expect(answer(200, { a: 1 }).next).toEqual({ kind: 'complete', output: { a: 1 } });
  expect(answer(500, { message: 'x' }).next).toEqual({ ...retry, error: { message: 'x' } });
});

test('a step without a result gives null, because JSON has no undefined', () => {
  expect(answer(206, [step('StepRun', 'a')])).toEqual({
    steps: [{ id: 'a', value: { data: null } }],
    next: { kind: 'call', step: 'step', afterMs: 0 },
  });
});

test('the first of the planned steps is called, and results beside them are kept', () => {
  const ops = [
    step('StepRun', 'a', { data: 1 }),
    step('StepPlanned', 'b'),
    step('StepPlanned', 'c'),
  ];
  expect(answer(206, ops)).toEqual({
    steps: [{ id: 'a', value: { data: 1 } }],
    next: { kind: 'call', step: 'b', afterMs: 0 },
  });
});

test('a failed try keeps the results before it', () => {
  const ops = [
    step('StepRun', 'a', { data: 1 }),
    step('StepError', 'b', { error: { message: 'x' } }),
  ];
  const read = answer(206, ops, { 'x-inngest-no-retry': 'true' });
  expect(read.steps).toHaveLength(1);
  expect(read.next).toEqual({ ...retry, final: true, error: { message: 'x' } });
});

test('a step that failed permanently is a result, and the run goes on', () => {
  expect(answer(206, [step('StepFailed', 'a', { error: { message: 'x' } })])).toEqual({
    steps: [{ id: 'a', value: { error: { message: 'x' } } }],
    next: { kind: 'call', step: 'step', afterMs: 0 },
  });
});

test.each([
  ['3', 3000],
  ['0', 1000],
  ['99999999', 86_400_000],
  ['2026-11-28T00:00:07Z', 7000],
  ['soon', null],
])('retry-after %s', (header, afterMs) => {
  expect(answer(500, {}, { 'retry-after': header }).next).toMatchObject({ afterMs });
});

test.each([
  ['2s', 2000],
  ['1h30m', 5_400_000],
  ['', 1000],
  ['2026-11-28T00:00:10Z', 10_000],
])('a sleep of %s', (name, afterMs) => {
  expect(answer(206, [step('Sleep', 'a', { name })])).toEqual({
    steps: [{ id: 'a', value: null }],
    next: { kind: 'call', step: 'step', afterMs },
  });
});

test('an unsupported operation ends the run, and the error says why', () => {
  for (const ops of [
    [step('InvokeFunction', 'a')],
    [step('Sleep', 'a', { name: '1s' }), step('StepPlanned', 'b')],
  ])
    expect(answer(206, ops)).toMatchObject({ steps: [], next: { kind: 'fail' } });
  expect(answer(206, [])).toMatchObject({ next: { kind: 'retry' } });
  expect(answer(206, 'text')).toMatchObject({ next: { kind: 'retry' } });
});

test('only a refused connection proves that nothing ran', () => {
  const failure = (code: string) => readFailure(Object.assign(new Error(code), { code })).next.kind;
  expect([failure('ECONNREFUSED'), failure('ECONNRESET')]).toEqual(['unreachable', 'retry']);
});
