import { setTimeout as sleep } from 'node:timers/promises';
import { RpcRefused, RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import type { z } from 'zod';
import type { Clock } from '@/server/clock';
import { metrics } from '@/server/metrics';
import { traced } from '@/server/tracing';
import { callNode, callNodeInBatch, NodeTrouble } from './rpc-transport';

/** A node of the fallback list. After a failure it is tried last for a time. */
export type Node = {
  url: string;
  restsUntilMs: number;
  mustRestUntilMs: number;
  /** Batching is off for this node until then, because it rejected a batch. */
  noBatchUntilMs: number;
};

const ROUNDS = 2;
/** Longest time beyond one full timeout before a dead RPC is reported. */
const EXTRA_BUDGET_MS = 2_000;
const REST_AFTER_FAILURE_MS = 5_000;
/** Longest Retry-After of a node that we wait for. Beyond it, the caller is asked to retry. */
const MAX_RETRY_AFTER_MS = 2_000;
const PAUSE_BETWEEN_ROUNDS_MS = 150;

export type Question<T> = {
  method: string;
  params: readonly unknown[];
  schema: z.ZodType<T>;
  /** Whether an answer only means "I do not know it": then the other nodes are asked as well. */
  isAbsent?: (answer: T) => boolean;
  /** JSON-RPC error codes that are an answer and not a fault of the node. */
  answersTo?: (code: number) => { answer: T } | null;
  /** Joins the answers of two nodes, when an answer can be absent in part. */
  merge?: (one: T, other: T) => T;
};

/**
 * Asks the nodes in turn until one gives a usable answer: healthy ones first, failed ones once more
 * after a short pause. "Absent" counts only when every node says so: a node that lags or is down
 * must not make a transaction look missing. Throws {@link RpcUnavailable} after `timeoutMs` + 2 s
 * at the latest, and RpcRefused as soon as a node refuses.
 */
export async function askNodes<T>(
  nodes: readonly Node[],
  question: Question<T>,
  o: {
    timeoutMs: number;
    clock: Clock;
    count: (method: string) => void;
    countTrouble: (method: string) => void;
  },
): Promise<T> {
  const deadline = performance.now() + o.timeoutMs + EXTRA_BUDGET_MS;
  const nowMs = (): number => o.clock.now().getTime();
  const troubles: NodeTrouble[] = [];
  let absent: { answer: T } | null = null;
  let pending = inOrder(nodes, nowMs());
  let silent = 0;

  for (let round = 0; round < ROUNDS && pending.length > 0; round += 1) {
    if (round > 0) await sleep(PAUSE_BETWEEN_ROUNDS_MS * (1 + Math.random()));
    const failed: Node[] = [];
    for (const [index, node] of pending.entries()) {
      const leftMs = deadline - performance.now();
      const isLast = index === pending.length - 1;
      const timeoutMs = Math.min(isLast ? o.timeoutMs : o.timeoutMs / 2, leftMs);
      if (timeoutMs <= 0 || node.mustRestUntilMs > nowMs()) {
        failed.push(node);
        continue;
      }
      o.count(question.method);
      try {
        const answer = await traced(
          `rpc ${question.method}`,
          { 'rpc.method': question.method },
          () => askOne(node, question, timeoutMs),
        );
        node.restsUntilMs = 0;
        const known: T = absent && question.merge ? question.merge(absent.answer, answer) : answer;
        if (!question.isAbsent?.(known)) {
          if (absent) metrics().nodeDisagreements.inc({ method: question.method });
          return known;
        }
        absent = { answer: known };
      } catch (error) {
        if (error instanceof RpcRefused && troubles.length > 0) throw error.afterTrouble();
        if (!(error instanceof NodeTrouble)) throw error;
        troubles.push(error);
        o.countTrouble(question.method);
        rest(node, error, nowMs());
        // A node that was silent for a whole timeout is not asked twice.
        if (error.isTimeout) silent += 1;
        else failed.push(node);
      }
    }
    pending = failed;
  }
  if (absent && pending.length === 0 && silent === 0) return absent.answer;
  throw unavailable(question.method, troubles);
}

async function askOne<T>(node: Node, question: Question<T>, timeoutMs: number): Promise<T> {
  const { method, params, schema } = question;
  let result: unknown;
  try {
    result = await callNode({ url: node.url, method, params, timeoutMs });
  } catch (error) {
    const code = error instanceof NodeTrouble ? error.code : null;
    const told = code === null ? null : (question.answersTo?.(code) ?? null);
    if (told) return told.answer;
    throw error;
  }
  const parsed = schema.safeParse(result);
  if (parsed.success) return parsed.data;
  throw new NodeTrouble(`${new URL(node.url).host} answered ${method} in an unknown shape`);
}

/** Healthy nodes first, each group as in the settings. */
function inOrder(nodes: readonly Node[], nowMs: number): Node[] {
  const isResting = (node: Node): number => (node.restsUntilMs > nowMs ? 1 : 0);
  return [...nodes].sort((a, b) => isResting(a) - isResting(b));
}

function rest(node: Node, trouble: NodeTrouble, nowMs: number): void {
  node.restsUntilMs = nowMs + REST_AFTER_FAILURE_MS;
  if (trouble.retryAfterMs !== null)
    node.mustRestUntilMs = nowMs + Math.min(trouble.retryAfterMs, MAX_RETRY_AFTER_MS);
}

function unavailable(method: string, troubles: readonly NodeTrouble[]): RpcUnavailable {
  const seen = [...new Set(troubles.map(({ message }) => message))].join('; ');
  const waits = troubles.flatMap(({ retryAfterMs }) =>
    retryAfterMs === null ? [] : [retryAfterMs],
  );
  return new RpcUnavailable(
    `No usable answer to ${method}: ${seen === '' ? 'every node asked us to wait' : seen}`,
    { retryAfterS: waits.length > 0 ? Math.ceil(Math.min(...waits) / 1000) : null },
  );
}

/** Many providers refuse batches, some with a 429. For this long they get no batch. */
const LEFT_ALONE_MS = 10 * 60_000;

/** The node that would be asked first, unless it is known to refuse batches. */
export function nodeForBatch(nodes: readonly Node[], clock: Clock): Node | null {
  const nowMs = clock.now().getTime();
  const [node] = inOrder(nodes, nowMs);
  return node && node.noBatchUntilMs <= nowMs ? node : null;
}

/**
 * Asks the first healthy node several questions in one request. Only saves time: what it does not answer in
 * full, or in a wrong form, is undefined, and must be requested alone. Never throws.
 */
export async function askBatch<T>(
  nodes: readonly Node[],
  question: {
    method: string;
    paramsOf: readonly (readonly unknown[])[];
    schema: z.ZodType<T>;
  },
  o: {
    timeoutMs: number;
    clock: Clock;
    count: (method: string) => void;
    countTrouble: (method: string) => void;
  },
): Promise<(T | undefined)[]> {
  const { method, paramsOf, schema } = question;
  const nothing = paramsOf.map(() => undefined);
  const node = nodeForBatch(nodes, o.clock);
  if (!node) return nothing;
  paramsOf.forEach(() => o.count(method));
  try {
    const results = await traced(`rpc ${method}`, { 'rpc.method': method }, () =>
      callNodeInBatch({ url: node.url, method, paramsOf, timeoutMs: o.timeoutMs }),
    );
    return results.map((result) => schema.safeParse(result).data);
  } catch (error) {
    if (!(error instanceof NodeTrouble)) throw error;
    o.countTrouble(method);
    node.noBatchUntilMs = o.clock.now().getTime() + LEFT_ALONE_MS;
    return nothing;
  }
}

/**
 * Joins questions that are asked within `waitMs` of each other into one, of at most `most` items.
 * `ask` answers in the order of its items. When it throws, every caller gets the error.
 */
export function batchQuestions<Item, Answer>(
  ask: (items: readonly Item[]) => Promise<readonly Answer[]>,
  o: { most: number; waitMs: number },
): (items: readonly Item[]) => Promise<Answer[]> {
  type Waiting = {
    items: readonly Item[];
    resolve: (answers: Answer[]) => void;
    reject: (error: unknown) => void;
  };
  let waiting: Waiting[] = [];
  let size = 0;
  let timer: NodeJS.Timeout | undefined;

  async function send(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const asked = waiting;
    waiting = [];
    size = 0;
    try {
      const answers = await ask(asked.flatMap(({ items }) => items));
      let from = 0;
      for (const { items, resolve } of asked) {
        resolve(answers.slice(from, from + items.length));
        from += items.length;
      }
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }

  return (items) =>
    new Promise((resolve, reject) => {
      if (size + items.length > o.most) void send();
      waiting.push({ items, resolve, reject });
      size += items.length;
      timer ??= setTimeout(() => void send(), o.waitMs);
    });
}
