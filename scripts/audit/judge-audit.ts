import { z } from 'zod';

const exceptions = z.array(
  z.strictObject({
    package: z.string(),
    advisory: z.string(),
    reason: z.string().min(20, 'must say why'),
    until: z.iso.date(),
  }),
);
export type Exception = z.infer<typeof exceptions>[number];

/**
 * `npm audit --json`: each vulnerable package with its advisories, or with the packages that bring
 * them in.
 */
const report = z.object({
  vulnerabilities: z.record(
    z.string(),
    z.object({
      severity: z.string(),
      via: z.array(
        z.union([
          z.string(),
          z.object({ title: z.string(), url: z.string(), severity: z.string() }),
        ]),
      ),
    }),
  ),
});

export type Verdict =
  { state: 'no_answer' } | { state: 'judged'; faults: string[]; excepted: number };

export function parseExceptions(json: string): Exception[] {
  return exceptions.parse(JSON.parse(json));
}

/**
 * Compares an audit with the exceptions: vulnerabilities without one, and exceptions that have
 * ended.
 */
export function judgeAudit(json: string, allowed: Exception[], now: Date): Verdict {
  const parsed = report.safeParse(parse(json));
  if (!parsed.success) return { state: 'no_answer' };
  const today = now.toISOString().slice(0, 10);
  const faults: string[] = [];
  let excepted = 0;
  for (const [name, { via }] of Object.entries(parsed.data.vulnerabilities))
    for (const one of via) {
      // A package that only brings in another one is reported under that package's name.
      if (typeof one === 'string') continue;
      const advisory = one.url.split('/').at(-1) ?? '';
      const exception = allowed.find((e) => e.package === name && e.advisory === advisory);
      if (exception && exception.until >= today) excepted += 1;
      else
        faults.push(
          `${one.severity} ${name}: ${one.title} (${advisory})${exception ? `, excepted until ${exception.until}` : ''}`,
        );
    }
  return { state: 'judged', faults, excepted };
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
