import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { unknownIn } from './known-metrics';
import { hasPromtool } from './promtool';

const read = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8');

const rulesSchema = z.object({
  groups: z.array(
    z.object({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string(),
          expr: z.string(),
          for: z.string().optional(),
          annotations: z.strictObject({ summary: z.string() }),
        }),
      ),
    }),
  ),
});
const alerts = rulesSchema.parse(parse(read('alerts.yaml'))).groups.flatMap(({ rules }) => rules);

const testsSchema = z.object({
  tests: z.array(
    z.object({
      input_series: z.array(z.object({ series: z.string() })),
      promql_expr_test: z.array(
        z.object({ exp_samples: z.array(z.object({ labels: z.string() })) }),
      ),
    }),
  ),
});
const alertTests = testsSchema.parse(parse(read('alerts.test.yaml'))).tests;

it.each(alerts.map((rule) => [rule.alert, rule] as const))(
  'the alert %s reads metrics and labels that exist',
  (_, { expr, annotations }) => {
    expect(unknownIn(expr, annotations.summary)).toEqual([]);
  },
);

it('alerts each have a test in which they fire, made of existing series', () => {
  const rung = alertTests.flatMap(({ promql_expr_test: tests }) =>
    tests.flatMap(({ exp_samples: samples }) => samples.map(({ labels }) => labels)),
  );
  const names = alerts.map(({ alert }) => `{alertname="${alert}"}`);
  expect(names.filter((name) => !rung.includes(name))).toEqual([]);
  for (const { input_series: inputs } of alertTests)
    for (const { series } of inputs) expect(unknownIn(series), series).toEqual([]);
});

it.runIf(hasPromtool)('alerts pass promtool, with their tests', () => {
  for (const words of [
    ['check', 'rules', '--lint-fatal', 'alerts.yaml'],
    ['test', 'rules', 'alerts.test.yaml'],
  ]) {
    const { status, stdout, stderr } = spawnSync('promtool', words, {
      cwd: import.meta.dirname,
      encoding: 'utf8',
    });
    expect(status, `${stdout}${stderr}`).toBe(0);
  }
});
