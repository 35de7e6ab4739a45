import type { WebSocket } from 'ws';
import { z } from 'zod';
import type { ChainNode, Commitment } from './node';
import { commitment, optional, parseParams, signature } from './params';
import { RpcError } from '../rpc-error';

const request = z.object({
  method: z.string(),
  params: z.unknown().optional(),
  id: z.union([z.string(), z.number(), z.null()]).optional(),
});
type Subscription = { socket: WebSocket } & (
  { kind: 'signature'; signature: string; commitment: Commitment } | { kind: 'slot' }
);
const signatureConfig = z.object({
  commitment: commitment.nullish().transform((value) => value ?? 'finalized'),
});

/** The WebSocket side of a node: signatureSubscribe, slotSubscribe and their opposites. */
export function openSubscriptions(node: ChainNode) {
  const open = new Map<number, Subscription>();
  let nextId = 1;
  let lastSlot = 0;

  function subscribe(subscription: Subscription): number {
    const id = nextId++;
    open.set(id, subscription);
    return id;
  }

  function answer(socket: WebSocket, method: string, params: unknown): unknown {
    if (method === 'signatureSubscribe') {
      const [text, o] = parseParams(params, signature, optional(signatureConfig));
      setImmediate(notify);
      return subscribe({ socket, kind: 'signature', signature: text, commitment: o.commitment });
    }
    if (method === 'slotSubscribe') return subscribe({ socket, kind: 'slot' });
    if (method === 'signatureUnsubscribe' || method === 'slotUnsubscribe') {
      const [id] = parseParams(params, z.number());
      if (open.delete(id)) return true;
      throw new RpcError(-32602, 'Invalid subscription id.');
    }
    throw new RpcError(-32601, 'Method not found');
  }

  /** Sends subscribers their notifications. */
  function notify(): void {
    const slot = node.slot();
    const isNew = slot !== lastSlot;
    lastSlot = slot;
    for (const [id, subscription] of open) {
      const tell = (method: string, result: object) =>
        send(subscription.socket, { jsonrpc: '2.0', method, params: { result, subscription: id } });
      if (subscription.kind === 'slot') {
        if (isNew)
          tell('slotNotification', { parent: slot - 1, root: node.slot('finalized'), slot });
        continue;
      }
      const record = node.chain.txs.get(subscription.signature);
      if (!record || !node.sees(record, subscription.commitment)) continue;
      tell('signatureNotification', { context: { slot }, value: { err: record.meta.err } });
      open.delete(id);
    }
  }

  return {
    notify,
    attach(socket: WebSocket): void {
      socket.on('message', (data) => {
        const message = parseRequest(String(data));
        // kit keeps its connection open with pings that expect no answer.
        if (!message || message.method === 'ping') return;
        const id = message.id ?? null;
        try {
          const result = answer(socket, message.method, message.params);
          send(socket, { jsonrpc: '2.0', result, id });
        } catch (error) {
          const known = error instanceof RpcError ? error : new RpcError(-32603, 'Internal error');
          const { code, message: text } = known;
          send(socket, { jsonrpc: '2.0', error: { code, message: text }, id });
        }
      });
      socket.on('error', () => socket.terminate());
      socket.on('close', () => {
        for (const [id, one] of open) if (one.socket === socket) open.delete(id);
      });
    },
  };
}

function send(socket: WebSocket, message: object): void {
  if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message));
}

function parseRequest(text: string): z.infer<typeof request> | null {
  try {
    return request.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
