/** An error that a node answers with: its JSON-RPC code, message and optional data. */
export class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

/** -32602, a node's answer to parameters that it cannot use. */
export function invalidParams(message: string): RpcError {
  return new RpcError(-32602, message);
}
