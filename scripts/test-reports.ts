import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';

/** The result of a run of tests. `failures` has a line for each test that did not pass. */
export type Outcome = { passed: number; failed: number; failures: string[] };

/** From Vitest. */
const vitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().default(''),
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
});

const testOfPages = z.object({
  status: z.enum(['expected', 'unexpected', 'flaky', 'skipped']),
  results: z.array(z.object({ error: z.object({ message: z.string().optional() }).optional() })),
});

const specOfPages = z.object({
  title: z.string(),
  file: z.string(),
  line: z.number(),
  tests: z.array(testOfPages),
});

type Suite = { specs?: z.infer<typeof specOfPages>[]; suites?: Suite[] };
const suite: z.ZodType<Suite> = z.lazy(() =>
  z.object({ specs: z.array(specOfPages).optional(), suites: z.array(suite).optional() }),
);

/** From Playwright. `flaky` passed on a retry. */
const pagesReport = z.object({
  stats: z.object({
    expected: z.number(),
    unexpected: z.number(),
    flaky: z.number(),
    skipped: z.number(),
  }),
  suites: z.array(suite),
});

/** Reads the JSON report of Vitest, of a run that ended with this exit code. */
export function readVitest(json: string, code: number): Outcome {
  const report = vitestReport.parse(JSON.parse(json));
  const skipped = report.numPendingTests + report.numTodoTests;
  return failAtLeast(
    {
      passed: report.numPassedTests,
      failed:
        report.numFailedTests + report.testResults.filter(isBroken).length + ifRequired(skipped),
      failures: report.testResults.flatMap(failuresOf),
    },
    code,
  );
}

type TestFile = z.infer<typeof vitestReport>['testResults'][number];

/** A file that cannot be loaded has no test to fail. */
function isBroken(file: TestFile): boolean {
  return file.status === 'failed' && file.assertionResults.length === 0;
}

function failuresOf(file: TestFile): string[] {
  const place = relative(process.cwd(), file.name);
  const failed = file.assertionResults
    .filter(({ status }) => status === 'failed')
    .map((test) => oneLine(place, test.fullName, test.failureMessages?.[0]));
  // Tests are left out when the preparation of their file fails, which is an error of no test.
  const leftOut = file.assertionResults
    .filter(({ status }) => status !== 'failed' && status !== 'passed' && ifRequired(1) > 0)
    .map((test) => oneLine(place, test.fullName, 'skipped'));
  const own = file.status === 'failed' && failed.length === 0;
  return [...(own ? [oneLine(place, 'the whole file', file.message)] : []), ...failed, ...leftOut];
}

/** Reads the JSON report of Playwright, of a run that ended with this exit code. */
export function readPages(json: string, code: number): Outcome {
  const { stats, suites } = pagesReport.parse(JSON.parse(json));
  return failAtLeast(
    {
      passed: stats.expected,
      failed: stats.unexpected + stats.flaky + ifRequired(stats.skipped),
      failures: suites.flatMap(specsOf).flatMap(failuresOfSpec),
    },
    code,
  );
}

function failuresOfSpec(spec: z.infer<typeof specOfPages>): string[] {
  return spec.tests
    .filter(({ status }) => status !== 'expected' && (status !== 'skipped' || ifRequired(1) > 0))
    .map((test) => {
      const error = test.results.find((result) => result.error)?.error;
      return oneLine(`e2e/${spec.file}:${spec.line}`, spec.title, error?.message ?? test.status);
    });
}

/** An error outside every test (for example an unhandled promise) fails the run as well. */
export function failAtLeast(outcome: Outcome, code: number): Outcome {
  if (outcome.failed > 0 || code === 0) return outcome;
  const { passed, failures } = outcome;
  const unnamed = [`an error outside every test (exit ${code})`];
  return { passed, failed: 1, failures: failures.length > 0 ? failures : unnamed };
}

function specsOf({ specs = [], suites = [] }: Suite): z.infer<typeof specOfPages>[] {
  return [...specs, ...suites.flatMap(specsOf)];
}

/** Where every test is required, a skipped test is a failure. */
function ifRequired(skipped: number): number {
  return process.env.CI ? skipped : 0;
}

/** The place, the test, and the first line of what went wrong, without colours. */
function oneLine(place: string, test: string, message = ''): string {
  const [first = ''] = stripVTControlCharacters(message).trim().split('\n');
  return `${place} › ${test}: ${first}`.slice(0, 300);
}
