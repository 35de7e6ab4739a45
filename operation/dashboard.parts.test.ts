import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { knownSeries, OTHERS, unknownIn } from './known-metrics';
import { readQuery } from './promql';

const TEXT = readFileSync(join(import.meta.dirname, 'dashboard.json'), 'utf8');

const dashboardSchema = z.looseObject({
  annotations: z.object({
    list: z.array(z.looseObject({ target: z.looseObject({ expr: z.string() }) })),
  }),
  panels: z.array(
    z.looseObject({
      id: z.number(),
      title: z.string(),
      type: z.string(),
      gridPos: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
      targets: z.array(z.looseObject({ expr: z.string(), legendFormat: z.string() })).optional(),
    }),
  ),
});
const dashboard = dashboardSchema.parse(JSON.parse(TEXT));
const targets = dashboard.panels.flatMap(({ title, targets: of }) =>
  (of ?? []).map((target) => ({ title, ...target })),
);

it('the dashboard has the type that Grafana publishes', () => {
  const wrong = [
    ['"absolute"', '"relative"'],
    ['"gridPos"', '"gridPosition"'],
    ['"schemaVersion": 39', '"schemaVersion": "39"'],
  ] as const;
  const [faults, ...faultsOfWrong] = typeFaults([
    TEXT,
    ...wrong.map(([right, other]) => TEXT.replace(right, other)),
  ]);
  expect(faults).toEqual([]);
  expect(faultsOfWrong.map((found) => found.length > 0)).toEqual(wrong.map(() => true));
});

it.each(targets.map((target) => [`${target.title}: ${target.legendFormat}`, target] as const))(
  'a panel reads metrics and labels that exist: %s',
  (_, { expr, legendFormat }) => {
    expect(unknownIn(expr, legendFormat)).toEqual([]);
  },
);

it('the dashboard has panels with unique ids that do not overlap', () => {
  const ids = dashboard.panels.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const taken = new Set<string>();
  for (const { title, gridPos } of dashboard.panels)
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1)
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
        expect(taken.has(`${x} ${y}`) || x >= 24, title).toBe(false);
        taken.add(`${x} ${y}`);
      }
});

it('the dashboard marks alerts', () => {
  for (const { target } of dashboard.annotations.list) expect(unknownIn(target.expr)).toEqual([]);
});

it('the dashboard shows every metric of the service', () => {
  const read = new Set(
    targets.flatMap(({ expr }) => readQuery(expr).metrics.map(({ name }) => name)),
  );
  const left = [...knownSeries().keys()].filter(
    (name) =>
      !read.has(name) &&
      !/^quittance_(nodejs|process)_|_(bucket|count|sum)$/.test(name) &&
      !OTHERS.has(name),
  );
  expect(left.filter((name) => !read.has(`${name}_bucket`))).toEqual([]);
});

/** Compiles each text as a value of Grafana's type and returns the compiler's messages. */
function typeFaults(texts: readonly string[]): string[][] {
  const sources = new Map(
    texts.map((text, index) => [
      join(import.meta.dirname, `dashboard-value-${index}.ts`),
      `import type { DashboardJson } from './dashboard-json';\nexport const value: DashboardJson = ${text};\n`,
    ]),
  );
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    lib: ['lib.es2022.d.ts'],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => sources.has(name) || fileExists(name);
  host.getSourceFile = (name, ...rest) => {
    const source = sources.get(name);
    return source === undefined
      ? getSourceFile(name, ...rest)
      : ts.createSourceFile(name, source, ts.ScriptTarget.ES2022);
  };
  const program = ts.createProgram([...sources.keys()], options, host);
  return [...sources.keys()].map((name) =>
    ts
      .getPreEmitDiagnostics(program, program.getSourceFile(name))
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
  );
}
