import { OPERATIONS } from './operations/operations';
import { route } from './route';

/** The handlers of a path for Next.js, made from the table. Throws for a path that is not in it. */
export function serve(path: string) {
  const operations = OPERATIONS.filter((operation) => operation.path === path);
  if (operations.length === 0) throw new Error(`no operation has the path ${path}`);
  return route(path, operations, OPERATIONS);
}
