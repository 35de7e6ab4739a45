import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { OPERATIONS } from '@/server/rest/operations/operations';

/**
 * Takes the examples of the docs from answers that the tests saw:
 *
 *     RECORD_ANSWERS=/tmp/answers npx vitest run --project service tests/operations.test.ts
 *     npx tsx scripts/pick-examples.ts /tmp/answers
 *
 * Of each operation and status the shortest answer that its schema takes is kept. One that the folder has no
 * answer for stays as it was.
 */
const FILE = 'server/rest/openapi/example-answers.json';
/** Files inside of an answer would fill pages. */
const MOST_LETTERS = 400;
const MOST_ITEMS = 3;
const recorded = z.object({
  method: z.string(),
  origin: z.string(),
  path: z.string(),
  status: z.number(),
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
  // The description of this interface is its own example, and would fill pages.
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
const refused = answers.find(({ path, status }) => path.startsWith('/receipt/') && status === 404);
if (refused) kept['readReceipt'] = { ...kept['readReceipt'], 404: anonymous(refused) };
writeFileSync(FILE, `${JSON.stringify(kept, null, 2)}\n`);

/** Machines of the tests by the names that readers know. */
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
