import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { WebSocketServer } from 'ws';
import { answerBody, type AnsweringNode } from './answer-calls';
import { listenPair } from './listen-pair';
import { openSubscriptions } from './subscriptions';

/** Larger bodies are refused. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;
const MAX_NOTIFY_MS = 100;

/**
 * A path beside the RPC: takes the parsed body (undefined without one), returns status and answer.
 */
export type Route = (body: unknown) => Promise<{ status: number; body: unknown }>;
export type Routes = Record<string, Route>;

export type ServedNode = { url: string; wsUrl: string; close(): Promise<void> };

/** Serves a node over HTTP and WebSocket, both on the port and on the one after it. */
export async function serveNode(
  o: AnsweringNode & { port: number; routes: Routes },
): Promise<ServedNode> {
  const subscriptions = openSubscriptions(o.node);
  const sockets: WebSocketServer[] = [];
  const make = () => {
    const server = createServer((request, response) => {
      handle(o, request, response).catch((error: unknown) => {
        console.error('a request failed', error);
        response.writeHead(500).end();
      });
    });
    // If the server closes a keep-alive connection first, a client may see a failed request.
    server.keepAliveTimeout = 60_000;
    const webSocket = new WebSocketServer({ server });
    // The server's errors, for example a taken port, come to its own listener.
    webSocket.on('error', () => undefined);
    webSocket.on('connection', (socket) => subscriptions.attach(socket));
    sockets.push(webSocket);
    return server;
  };
  const { port, servers } = await listenPair(make, o.port);
  const tick = () => {
    o.settle();
    subscriptions.notify();
  };
  const timer = setInterval(tick, Math.min(MAX_NOTIFY_MS, o.node.chain.clock.slotMs));
  o.node.chain.onTx.push(() => setImmediate(subscriptions.notify));

  return {
    url: `http://127.0.0.1:${port}`,
    wsUrl: `ws://127.0.0.1:${port + 1}`,
    async close() {
      clearInterval(timer);
      for (const one of sockets) for (const socket of one.clients) socket.terminate();
      for (const server of servers) {
        const closed = new Promise((resolve) => server.close(resolve));
        server.closeAllConnections();
        await closed;
      }
    },
  };
}

async function handle(
  o: AnsweringNode & { routes: Routes },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const method = request.method ?? 'GET';
  const { pathname: path, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
  response.setHeader('access-control-allow-origin', '*');
  if (method === 'OPTIONS') {
    response.setHeader('access-control-allow-headers', '*');
    response.writeHead(204).end();
    return;
  }
  if (method === 'GET' && path === '/health') {
    response.setHeader('content-type', 'text/plain').end(healthText(o));
    return;
  }
  const route = o.routes[`${method} ${path}`];
  const isRpc = method === 'POST' && path === '/';
  if (!route && !isRpc) {
    response.writeHead(path === '/' ? 405 : 404).end();
    return;
  }
  const body = await readBody(request);
  if (body === null) {
    response.writeHead(413, { connection: 'close' }).end();
    return;
  }
  const seen = searchParams.has('whole') ? { ...o, node: o.whole } : o;
  const answer = route ? await answerRoute(route, body) : await answerBody(seen, body);
  response.setHeader('content-type', 'application/json');
  response.writeHead(answer.status).end(answer.body);
}

function healthText({ node }: AnsweringNode): string {
  try {
    node.requireHealth();
    return 'ok';
  } catch {
    return 'behind';
  }
}

async function answerRoute(route: Route, text: string): Promise<{ status: number; body: string }> {
  let body: unknown;
  try {
    body = text === '' ? undefined : JSON.parse(text);
  } catch {
    return { status: 400, body: JSON.stringify({ success: false, error: 'the body is not JSON' }) };
  }
  const answer = await route(body);
  return { status: answer.status, body: JSON.stringify(answer.body) };
}

async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > MAX_BODY_BYTES) return null;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}
