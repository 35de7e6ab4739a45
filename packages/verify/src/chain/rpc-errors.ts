/**
 * No node gave a usable answer: down, too slow, rate limiting, answering garbage, or too far behind to
 * know. Says nothing about the chain: never treat it as "not found".
 */
export class RpcUnavailable extends Error {
  /** Seconds that the nodes ask us to wait, when they rate limit. */
  readonly retryAfterS: number | null;
  constructor(message: string, options: { cause?: unknown; retryAfterS?: number | null } = {}) {
    super(message, { cause: options.cause });
    this.name = 'RpcUnavailable';
    this.retryAfterS = options.retryAfterS ?? null;
  }
}

/** A JSON-RPC error that is the node's answer: bad parameters, a failed preflight, an unsupported version. */
export class RpcRefused extends Error {
  readonly code: number;
  readonly data: unknown;
  /** Whether another node had been asked before and gave no usable answer: it may have done what was asked. */
  readonly isAfterTrouble: boolean;
  private readonly said: { method: string; message: string };
  constructor(
    method: string,
    code: number,
    message: string,
    data: unknown,
    { isAfterTrouble = false }: { isAfterTrouble?: boolean } = {},
  ) {
    super(`${method} was refused with ${code}: ${message}`);
    this.name = 'RpcRefused';
    this.code = code;
    this.data = data;
    this.isAfterTrouble = isAfterTrouble;
    this.said = { method, message };
  }

  /** The same refusal, by a node that was asked after another had given no usable answer. */
  afterTrouble(): RpcRefused {
    const { method, message } = this.said;
    return new RpcRefused(method, this.code, message, this.data, { isAfterTrouble: true });
  }
}

/**
 * JSON-RPC errors that concern the node and not the request (Agave, rpc-client-api
 * src/custom_error.rs). They are: block cleaned up or not available, node behind, slot skipped, no
 * snapshot or history, status not there yet, context slot not reached. Then the general "server
 * error", "method not found" and "internal error", and the codes with which gateways limit rates.
 */
const NODE_TROUBLE: ReadonlySet<number> = new Set([
  -32001, -32004, -32005, -32007, -32008, -32009, -32011, -32012, -32014, -32016, -32000, -32601,
  -32603, -32429, 429,
]);

/**
 * Codes of a node that has no block at a slot (same source): cleaned up, not available, skipped,
 * and skipped or missing in long-term storage. None of them proves that there was no block.
 */
const NO_BLOCK: ReadonlySet<number> = new Set([-32001, -32004, -32007, -32009]);

/** Whether a JSON-RPC error code says that the node has no block at the slot asked for. */
export function isNoBlock(code: number): boolean {
  return NO_BLOCK.has(code);
}

/** Whether a JSON-RPC error code says that another node, or this one later, may know better. */
export function isNodeTrouble(code: number): boolean {
  return NODE_TROUBLE.has(code);
}

/** Agave's code for a transaction of a version above `maxSupportedTransactionVersion`. */
export const UNSUPPORTED_VERSION = -32015;

/**
 * Whether an error means that a node gave no answer, because it was silent or refused. Another node
 * may have one.
 */
export function isNodeSilence(error: unknown): error is RpcUnavailable | RpcRefused {
  return error instanceof RpcUnavailable || error instanceof RpcRefused;
}
