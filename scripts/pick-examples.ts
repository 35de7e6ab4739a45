import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { OPERATIONS } from '@/server/rest/operations/operations';
import { pickRefusals } from './pick-refusals';

/**
 * Takes the examples of the docs from answers that the tests saw:
 *
 *     RECORD_ANSWERS=/tmp/answers npx vitest run --project service tests/operations.test.ts
 *     npx tsx scripts/pick-examples.ts /tmp/answers
 *
 * Of each operation and status the shortest answer that its schema takes is kept, and of each status of a refusal the
 * error that readers meet first. One that the folder has no answer for stays as it was.
 */
const FILE = 'server/rest/openapi/example-answers.json';
const REFUSALS = 'server/rest/openapi/example-refusals.json';
/** Files inside of an answer would fill pages. */
const MOST_LETTERS = 400;
const MOST_ITEMS = 3;
const recorded = z.object({
  method: z.string(),
  origin: z.string(),
  path: z.string(),
  status: z.number(),
  paymentRequired: z.string().nullable().optional(),
  body: z.string(),
});
const examples = z.record(z.string(), z.record(z.string(), z.unknown()));

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Name the folder that RECORD_ANSWERS named.');
const answers = readdirSync(folder)
  .map((name) => recorded.parse(JSON.parse(readFileSync(join(folder, name), 'utf8'))))
  .sort((a, b) => a.body.length - b.body.length);

const kept = examples.parse(JSON.parse(readFileSync(FILE, 'utf8')));
for (const { id, method, path, answers: described, tag } of OPERATIONS) {
  // The OpenAPI document is its own example, and would fill pages.
  if (tag === 'Admin' || id === 'readDescription') continue;
  const pattern = new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`);
  const own = answers.filter((one) => one.method === method && pattern.test(one.path));
  for (const [status, answer] of Object.entries(described)) {
    if (!('schema' in answer)) continue;
    const found = own
      .filter((one) => String(one.status) === status)
      .map(anonymous)
      .find((body) => answer.schema.safeParse(body).success);
    if (found !== undefined) kept[id] = { ...kept[id], [status]: found };
    else if (kept[id]?.[status] === undefined) console.log(`no answer yet: ${id} ${status}`);
  }
}
writeFileSync(FILE, `${JSON.stringify(kept, null, 2)}\n`);

const keptRefusals = z
  .record(z.string(), z.unknown())
  .parse(JSON.parse(readFileSync(REFUSALS, 'utf8')));
const refusals = answers.map((one) => ({
  status: one.status,
  body: anonymous(one),
  paymentRequired: one.paymentRequired
    ? anonymous({ ...one, body: Buffer.from(one.paymentRequired, 'base64').toString() })
    : null,
}));
writeFileSync(
  REFUSALS,
  `${JSON.stringify({ ...keptRefusals, ...pickRefusals(refusals) }, null, 2)}\n`,
);

/** The test machines' addresses, replaced by names that readers know. */
function anonymous({ origin, body }: z.output<typeof recorded>): unknown {
  const text = body
    .replaceAll(origin, 'https://quittance.example')
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'https://gateway.irys.xyz')
    .replaceAll('TEST CHAIN: ', '');
  return shortened(JSON.parse(text));
}

function shortened(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length > MOST_LETTERS ? value.slice(0, MOST_LETTERS) : value;
  if (Array.isArray(value)) return value.slice(0, MOST_ITEMS).map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shortened(one)]));
}
