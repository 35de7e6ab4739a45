import {
  createDecipheriv,
  createCipheriv,
  createECDH,
  hkdfSync,
  randomBytes,
  sign,
  verify,
} from 'node:crypto';
import bs58 from 'bs58';
import type { Page } from '@playwright/test';
import { WebSocketServer, type WebSocket } from 'ws';
import { z } from 'zod';
import { ed25519PrivateKey } from '@quittance/verify/ed25519';
import type { Wallet } from '@/devnet/client/wallet';
import { sendWire, signWire } from './sign-wire';

type App = { wallet: Wallet; rpcUrl: string; sends?: boolean };

/** Length of an uncompressed point of P-256. */
const POINT = 65;
const call = z.object({
  id: z.number(),
  method: z.string(),
  params: z.record(z.string(), z.unknown()),
});
const payloads = z.object({ payloads: z.array(z.string()) });

/**
 * A wallet app on the same phone, after the Mobile Wallet Adapter 2.0. The page opens
 * `solana-wallet:`, which names a key and a port. The app listens on that port, proves only that it
 * got the key, and answers JSON-RPC in encrypted messages over a web socket. `asked` lists the
 * called methods. With `sends`, the app returns no signed transaction, which the protocol allows.
 * The browser opens the app only at a press, like Chrome on Android after a return from an app.
 */
export async function installMobileWallet(
  page: Page,
  o: App,
): Promise<{ asked: string[]; close: () => void }> {
  const asked: string[] = [];
  const servers: WebSocketServer[] = [];
  // The library picks a random port from 49152 to 65535. Linux uses those up to 60999 for
  // connections, so one could be taken. The upper quarter is free.
  await page.evaluate(() => {
    const random = Math.random;
    Math.random = () => 0.75 + random() / 4;
    Object.defineProperty(navigator, 'userActivation', { value: { isActive: false } });
  });
  const session = await page.context().newCDPSession(page);
  await session.send('Page.enable');
  session.on('Page.frameRequestedNavigation', ({ url }) => {
    const link = new URL(url);
    if (link.protocol !== 'solana-wallet:') return;
    const token = link.searchParams.get('association') ?? '';
    const association = Buffer.from(token.replaceAll('.', '='), 'base64url');
    const port = Number(link.searchParams.get('port'));
    const server = new WebSocketServer({ port, host: 'localhost', path: '/solana-wallet' });
    servers.push(server);
    server.on('connection', (socket) => answer(socket, { ...o, association, asked }));
    // The page is behind the app now. From this the library knows that there is one.
    void page.evaluate(() => window.dispatchEvent(new Event('blur')));
  });
  return { asked, close: () => servers.forEach((server) => server.close()) };
}

/** One session: the greeting in clear text, then calls under the key that both sides derive from it. */
function answer(socket: WebSocket, o: App & { association: Buffer; asked: string[] }): void {
  let key: Buffer | null = null;
  let sent = 0;
  const send = (message: object, secret: Buffer): Buffer => {
    sent += 1;
    return encrypt(Buffer.from(JSON.stringify(message)), sent, secret);
  };
  socket.on('message', async (data: Buffer) => {
    if (key === null) {
      const point = data.subarray(0, POINT);
      if (!isSignedBy(o.association, point, data.subarray(POINT))) return socket.close();
      const own = createECDH('prime256v1');
      own.generateKeys();
      const shared = own.computeSecret(point);
      key = Buffer.from(hkdfSync('sha256', shared, o.association, Buffer.alloc(0), 16));
      return socket.send(Buffer.concat([own.getPublicKey(), send({ v: 1 }, key)]));
    }
    const { id, method, params } = call.parse(JSON.parse(decrypt(data, key).toString()));
    o.asked.push(method);
    const result = await resultOf(method, params, o);
    socket.send(send({ jsonrpc: '2.0', id, result }, key));
  });
}

async function resultOf(
  method: string,
  params: Record<string, unknown>,
  { wallet, rpcUrl, sends }: App,
): Promise<object> {
  const key = ed25519PrivateKey(wallet.keypair.secretKey);
  switch (method) {
    case 'get_capabilities':
      return {
        features: sends === true ? [] : ['solana:signTransactions'],
        supported_transaction_versions: ['legacy', 0],
        max_transactions_per_request: 1,
        max_messages_per_request: 1,
      };
    case 'authorize':
      return {
        auth_token: 'granted',
        accounts: [{ address: Buffer.from(bs58.decode(wallet.address)).toString('base64') }],
      };
    case 'sign_messages':
      return {
        signed_payloads: payloads.parse(params).payloads.map((text) => {
          const message = Buffer.from(text, 'base64');
          return Buffer.concat([message, sign(null, message, key)]).toString('base64');
        }),
      };
    case 'sign_transactions': {
      if (sends === true) throw new Error('the wallet app of this test only signs and sends');
      const signed = payloads.parse(params).payloads.map((wire) => signWire(wire, wallet));
      return { signed_payloads: signed };
    }
    case 'sign_and_send_transactions': {
      const wires = payloads.parse(params).payloads;
      const sent = await Promise.all(wires.map((wire) => sendWire(rpcUrl, wire, wallet)));
      return { signatures: sent.map((signature) => signature.toString('base64')) };
    }
    default:
      throw new Error(`the wallet app of this test has no ${method}`);
  }
}

function isSignedBy(point: Buffer, message: Buffer, signature: Buffer): boolean {
  const at = (from: number) => point.subarray(from, from + 32).toString('base64url');
  const jwk = { kty: 'EC', crv: 'P-256', x: at(1), y: at(33) };
  const key = { key: jwk, format: 'jwk', dsaEncoding: 'ieee-p1363' } as const;
  return verify('sha256', message, key, signature);
}

/** Sequence number, initialisation vector, text and tag. The number is authenticated, too. */
function encrypt(text: Buffer, sequence: number, key: Buffer): Buffer {
  const number = Buffer.alloc(4);
  number.writeUInt32BE(sequence);
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-128-gcm', key, iv).setAAD(number);
  const body = Buffer.concat([cipher.update(text), cipher.final()]);
  return Buffer.concat([number, iv, body, cipher.getAuthTag()]);
}

function decrypt(message: Buffer, key: Buffer): Buffer {
  const decipher = createDecipheriv('aes-128-gcm', key, message.subarray(4, 16));
  decipher.setAAD(message.subarray(0, 4)).setAuthTag(message.subarray(-16));
  return Buffer.concat([decipher.update(message.subarray(16, -16)), decipher.final()]);
}
