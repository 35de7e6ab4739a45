import { readFileSync } from 'node:fs';
import { OPERATIONS } from '@/server/rest/operations/operations';

/** Paths outside of REST: for pages, for the job server, and for unknown paths. */
const NO_REST = /^app\/(api|bad-request)\//;

/**
 * Each path of the table has its route file, which names it, and each route file has its
 * operations.
 */
export function checkOperations(files: string[]): string[] {
  const routes = files
    .filter((file) => file.startsWith('app/') && file.endsWith('/route.ts') && !NO_REST.test(file))
    .map((file) => ({ file, text: readFileSync(file, 'utf8') }));
  const paths = [...new Set(OPERATIONS.map(({ path }) => path))];
  return [...compareRoutes({ routes, paths }), ...compareRest(paths)];
}

/** Paths without a route file, and route files without a path. */
export function compareRoutes(o: {
  routes: { file: string; text: string }[];
  paths: string[];
}): string[] {
  const served = o.routes.map(({ file }) => pathOf(file));
  const odd = o.routes.flatMap(({ file, text }) => {
    const path = pathOf(file);
    if (!o.paths.includes(path))
      return [`${file}: no operation has the path ${path}; add it to server/rest/operations`];
    if (!text.includes(`= serve(\n  '${path}',\n)`) && !text.includes(`= serve('${path}')`))
      return [`${file}: must serve '${path}' and nothing else`];
    return [];
  });
  const missing = o.paths
    .filter((path) => !served.includes(path))
    .map((path) => `server/rest/operations: ${path} has no route file in app`);
  return [...odd, ...missing];
}

/**
 * Next reads its settings before anything is compiled, so they repeat the first parts of REST
 * paths.
 */
function compareRest(paths: string[]): string[] {
  const config = readFileSync('next.config.mjs', 'utf8');
  const list = /const REST = \[([^;]*)\];/.exec(config)?.[1] ?? '';
  const named = [...list.matchAll(/'([^']+)'/g)].map(([, name = '']) => name);
  const firsts = new Set(paths.map((path) => path.split('/')[1] ?? ''));
  return [...firsts]
    .filter((first) => !named.includes(first) && !PAGES.includes(first) && !first.includes('.'))
    .map((first) => `next.config.mjs: REST lacks '${first}', so a browser gets a page there`);
}

/** Paths next to pages. A browser that opens a wrong path there should get a page. */
const PAGES = ['r', 's', 'docs', 'dashboard'];

/** `app/receipt/[receiptId]/route.ts` is `/receipt/{receipt_id}`. */
function pathOf(file: string): string {
  return file
    .slice('app'.length, -'/route.ts'.length)
    .replace(/\[(\w+)\]/g, (_, name: string) => `{${name.replace(/[A-Z]/g, lower)}}`);
}

const lower = (letter: string): string => `_${letter.toLowerCase()}`;
