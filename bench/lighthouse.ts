import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { BROWSER_ARGS, findBrowser } from '@/e2e/harness/find-browser';
import { childEnv } from '@/scripts/environment';

/** Lighthouse's devices: a computer, and a phone with a slow processor (a quarter) and slow 4G. */
export const PRESETS = ['desktop', 'mobile'] as const;
export type Preset = (typeof PRESETS)[number];

export const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const;
export type Category = (typeof CATEGORIES)[number];

/** Lighthouse's names of the numbers that make the performance score, with a short name of each. */
const PARTS = {
  FCP: 'first-contentful-paint',
  LCP: 'largest-contentful-paint',
  TBT: 'total-blocking-time',
  CLS: 'cumulative-layout-shift',
  SI: 'speed-index',
} as const;

const audit = z.object({
  displayValue: z.string().optional(),
  // A list for the audits that are read here. Others have a checklist, which is an object.
  details: z.object({ items: z.unknown() }).partial().optional(),
});
const report = z.object({
  categories: z.record(z.string(), z.object({ score: z.number().nullable() })),
  audits: z.record(z.string(), audit),
});
/** Lighthouse does not always know the element that moved. */
const shift = z.object({
  score: z.number(),
  node: z.object({ selector: z.string().optional() }).optional(),
});
const task = z.object({ url: z.string(), duration: z.number() });

/** The findings of one run: scores from 0 to 100, and lines about the performance score. */
export type Seen = { scores: Record<Category, number>; lines: string[] };

/** One run on a page. Null if the browser lost the run's trace, which says nothing about the page. */
export async function lighthouse(o: {
  url: string;
  /** The cookie of a signed-in reader. */
  cookie: string | null;
  preset: Preset;
}): Promise<Seen | null> {
  const file = join(mkdtempSync(join(tmpdir(), 'quittance-lighthouse-')), 'report.json');
  const flags = ['--headless=new', ...BROWSER_ARGS].join(' ');
  const child = spawn(
    process.execPath,
    [
      ...['node_modules/lighthouse/cli/index.js', o.url, '--quiet', '--output=json'],
      ...[`--output-path=${file}`, `--only-categories=${CATEGORIES.join(',')}`],
      `--chrome-flags=${flags}`,
      // Without a preset Lighthouse is a phone.
      ...(o.preset === 'desktop' ? ['--preset=desktop'] : []),
      ...(o.cookie === null ? [] : [`--extra-headers=${JSON.stringify({ cookie: o.cookie })}`]),
    ],
    { env: childEnv({ CHROME_PATH: findBrowser() }), stdio: 'inherit' },
  );
  await new Promise((resolve) => child.once('close', resolve));
  return readReport(report.parse(JSON.parse(readFileSync(file, 'utf8'))));
}

function readReport({ categories, audits }: z.infer<typeof report>): Seen | null {
  const scoreOf = (name: Category) => categories[name]?.score ?? null;
  const [performance, accessibility, practices] = CATEGORIES.map(scoreOf);
  if (performance == null || accessibility == null || practices == null) return null;
  const parts = Object.entries(PARTS).map(
    ([short, name]) => `${short} ${audits[name]?.displayValue ?? '?'}`,
  );
  const items = (name: string) => audits[name]?.details?.items ?? [];
  const shifts = z.array(shift).parse(items('layout-shifts'));
  const tasks = z.array(task).parse(items('long-tasks'));
  return {
    scores: {
      performance: performance * 100,
      accessibility: accessibility * 100,
      'best-practices': practices * 100,
    },
    lines: [
      parts.join(', '),
      ...shifts.map(
        ({ score, node }) => `moved ${score.toFixed(3)}: ${node?.selector ?? 'unknown'}`,
      ),
      ...tasks.map(({ url, duration }) => `busy ${duration.toFixed(0)} ms: ${url}`),
    ],
  };
}
