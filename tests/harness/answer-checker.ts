import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { z } from 'zod';

const header = z.object({ $ref: z.string() });
const response = z.looseObject({
  headers: z.record(z.string(), header),
  content: z.record(z.string(), z.looseObject({})),
});
const operation = z.looseObject({ responses: z.record(z.string(), response) });
const described = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), operation)),
});

type Answer = { status: number; headers: Headers; text: string | null };
/** `wantsPage`: whether the request was made as by a browser that opens an address. */
type Asked = { method: string; path: string; wantsPage?: boolean };
export type CheckAnswer = (asked: Asked, answer: Answer) => string | null;

const BASE = 'https://document.example/openapi.json';
/** Answers for pages and their procedures, which the description does not cover. */
const NO_REST = /^\/(api|_next|r|s)\/|^\/(docs|terms|privacy|dashboard|statements)?$/;
/** Files that are served as they are. */
const PUBLIC_FILES: ReadonlySet<string> = new Set(
  readdirSync(join(import.meta.dirname, '../../public')).map((name) => `/${name}`),
);

/**
 * The fault of an answer by an OpenAPI document, in words, or null if it matches. An undocumented
 * path or method may only be refused. HEAD has the headers of GET and no body.
 */
export function answerChecker(document: unknown): CheckAnswer {
  const { paths } = described.parse(document);
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(Object(document), BASE);
  const known = Object.entries(paths)
    .map(([path, methods]) => ({ path, methods, pattern: patternOf(path) }))
    // `/admin/mints/retry` before `/admin/mints/{receipt_id}`.
    .sort((one, other) => one.path.split('{').length - other.path.split('{').length);
  const validators = new Map<string, ValidateFunction>();
  const validate = (pointer: string, body: unknown): string | null => {
    const check = validators.get(pointer) ?? ajv.compile({ $ref: `${BASE}#${pointer}` });
    validators.set(pointer, check);
    return check(body) ? null : ajv.errorsText(check.errors);
  };

  return ({ method, path: asked, wantsPage = false }, { status, headers, text }) => {
    const path = asked.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '');
    if (isOfNode(status, headers)) return null;
    const type = (headers.get('content-type') ?? '').split(';')[0]?.trim() ?? '';
    const found = isReadable(path) ? known.find(({ pattern }) => pattern.test(path)) : undefined;
    if (!found && (NO_REST.test(path) || PUBLIC_FILES.has(path))) return null;
    if (status >= 300 && status < 400) return null;
    if (method === 'OPTIONS' && found) return status === 204 ? null : `OPTIONS answers ${status}`;
    if (!found && wantsPage && status === 404 && type === 'text/html') return null;
    const name = (method === 'HEAD' ? 'GET' : method).toLowerCase();
    const operation = found?.methods[name];
    if (!found || !operation) return refused(status, type, text, validate);
    const answer = operation.responses[String(status)];
    if (!answer) return `the status ${status} is not described`;
    const limits = [...headers.keys()].filter((one) => one.startsWith('ratelimit-'));
    const names = Object.keys(answer.headers).map((one) => one.toLowerCase());
    const odd = limits.find((one) => !names.includes(one));
    if (odd !== undefined) return `the header ${odd} is not described`;
    if (!(type in answer.content)) return `the type ${type || 'none'} is not described`;
    if (method === 'HEAD' || text === null) return null;
    if (!('schema' in (answer.content[type] ?? {}))) return null;
    const steps = ['paths', found.path, name, 'responses', String(status), 'content', type];
    return validate(pointerOf([...steps, 'schema']), JSON.parse(text));
  };
}

/** Node's HTTP parser refuses an unreadable request without the headers of an application. */
const isOfNode = (status: number, headers: Headers): boolean =>
  [400, 408, 413, 431].includes(status) && !headers.has('date') && !headers.has('content-type');

/** Answers outside of every operation: a 404, a 405, or a path that cannot be read. */
function refused(
  status: number,
  type: string,
  text: string | null,
  validate: (pointer: string, body: unknown) => string | null,
): string | null {
  if (![400, 404, 405].includes(status)) return `${status} from no operation of the description`;
  if (type !== 'application/json') return `a ${type || 'typeless'} answer from no operation`;
  return text === null || text === ''
    ? null
    : validate('/components/schemas/Error', JSON.parse(text));
}

/** A path that cannot be decoded reaches no operation. */
function isReadable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

function patternOf(path: string): RegExp {
  const parts = path
    .split(/\{\w+\}/)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[^/]+');
  return new RegExp(`^${parts}$`);
}

const pointerOf = (steps: string[]): string =>
  steps
    .map((step) => `/${encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))}`)
    .join('');
