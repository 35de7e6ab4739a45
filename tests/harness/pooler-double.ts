import { createServer, type AddressInfo, type Socket } from 'node:net';
import { Client } from 'pg';
import { trusted } from '@/server/trusted';

export type PoolerDouble = {
  /** The same database, through the pooler. */
  url(databaseUrl: string): string;
  /** Connections to the server that it holds. */
  servers(): number;
  close(): Promise<void>;
};

/**
 * The startup parameters that PgBouncer 1.21 tracks, or ignores by default. It refuses all others.
 */
const KNOWN = new Set([
  ...['user', 'database', 'client_encoding', 'datestyle', 'timezone'],
  ...['standard_conforming_strings', 'application_name'],
]);
const SSL_REQUEST = 80_877_103;

/**
 * Speaks PostgreSQL's protocol like PgBouncer 1.21 in transaction mode. It refuses startup
 * parameters that it does not know. A client gets one of `size` server connections for the length
 * of a transaction. Settings, locks and prepared statements of a session stay on that connection,
 * and the next transaction of any client may get it.
 */
export async function startPoolerDouble(o: {
  databaseUrl: string;
  size: number;
}): Promise<PoolerDouble> {
  const clients = await Promise.all(
    Array.from({ length: o.size }, () => openServer(o.databaseUrl)),
  );
  const free = clients.map(({ stream }) => stream);
  const waiting: ((server: Socket) => void)[] = [];
  const giveBack = (server: Socket) => {
    const next = waiting.shift();
    if (next) next(server);
    else free.push(server);
  };
  const take = (): Promise<Socket> => {
    // Takes the connection that was returned first, so a session seldom gets its former connection.
    const server = free.shift();
    return server ? Promise.resolve(server) : new Promise((resolve) => waiting.push(resolve));
  };
  const sockets = new Set<Socket>();
  const listener = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    serve(socket, { take, giveBack });
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const { port } = trusted<AddressInfo>(listener.address(), 'it listens on a port');
  return {
    url: (databaseUrl) => {
      const url = new URL(databaseUrl);
      url.host = `127.0.0.1:${port}`;
      return url.href;
    },
    servers: () => clients.length,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => listener.close(resolve));
      for (const { stream } of clients) stream.destroy();
    },
  };
}

/** A connection to the server, signed in by the library and then used directly. */
async function openServer(databaseUrl: string): Promise<{ stream: Socket }> {
  const client = new Client({ connectionString: databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  const connection: unknown = Reflect.get(client, 'connection');
  const stream = trusted<Socket>(Reflect.get(Object(connection), 'stream'), 'pg keeps it there');
  for (const event of ['data', 'end', 'close', 'error']) stream.removeAllListeners(event);
  stream.on('error', () => undefined);
  return { stream };
}

function serve(
  client: Socket,
  pool: { take(): Promise<Socket>; giveBack(server: Socket): void },
): void {
  let held = Buffer.alloc(0);
  let isStarted = false;
  let server: Socket | null = null;
  let work = Promise.resolve();

  client.on('data', (bytes: Buffer) => {
    held = Buffer.concat([held, bytes]);
    if (!isStarted && !start()) return;
    if (held.length === 0) return;
    const message = held;
    held = Buffer.alloc(0);
    work = work.then(() => pass(message));
  });

  /** Answers the start of a session. Returns false until it has arrived completely. */
  function start(): boolean {
    if (held.length < 8 || held.length < held.readUInt32BE(0)) return false;
    const length = held.readUInt32BE(0);
    const packet = held.subarray(0, length);
    held = held.subarray(length);
    if (packet.readUInt32BE(4) === SSL_REQUEST) {
      client.write('N');
      return held.length > 0 && start();
    }
    const words = packet.subarray(8).toString('utf8').split('\0');
    const names = words.filter((word, at) => at % 2 === 0 && word !== '');
    const unknown = names.find((name) => !KNOWN.has(name.toLowerCase()));
    if (unknown !== undefined) {
      client.end(refusal(`unsupported startup parameter: ${unknown}`));
      return false;
    }
    isStarted = true;
    // AuthenticationOk, then ReadyForQuery outside a transaction.
    client.write(Buffer.concat([message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))]));
    return true;
  }

  async function pass(bytes: Buffer): Promise<void> {
    const isEnd = bytes[0] === 'X'.charCodeAt(0);
    if (isEnd || client.destroyed) return void client.end();
    if (server === null) {
      server = await pool.take();
      listen(server);
    }
    server.write(bytes);
  }

  /** Passes on the server's messages until it is outside a transaction. */
  function listen(from: Socket): void {
    let unread = Buffer.alloc(0);
    const onData = (bytes: Buffer) => {
      if (!client.destroyed) client.write(bytes);
      unread = Buffer.concat([unread, bytes]);
      while (unread.length >= 5 && unread.length > unread.readUInt32BE(1)) {
        const end = 1 + unread.readUInt32BE(1);
        const isIdle = unread[0] === 'Z'.charCodeAt(0) && unread[5] === 'I'.charCodeAt(0);
        unread = unread.subarray(end);
        if (!isIdle || unread.length > 0) continue;
        from.off('data', onData);
        server = null;
        pool.giveBack(from);
      }
    };
    from.on('data', onData);
  }
}

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type, 0, 'latin1');
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

function refusal(text: string): Buffer {
  return message('E', Buffer.from(`SFATAL\0C08P01\0M${text}\0\0`, 'utf8'));
}
