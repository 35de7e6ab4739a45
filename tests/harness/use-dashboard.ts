import { setTimeout as sleep } from 'node:timers/promises';
import canonicalize from 'canonicalize';
import { createHash } from 'node:crypto';
import superjson from 'superjson';
import { z } from 'zod';
import type { Wallet } from '@/devnet/client/wallet';
import type { TestService } from './start-service';

/** A signed-in browser, from the service's point of view. Calls of the dashboard name its wallet. */
export type Browser = {
  cookie: string;
  query(path: string, input?: unknown): Promise<unknown>;
  mutate(path: string, input?: unknown): Promise<unknown>;
  get(path: string): Promise<Response>;
};

const answer = z.union([
  z.object({ result: z.object({ data: z.unknown() }) }),
  z.object({ error: z.object({ json: z.looseObject({ data: z.looseObject({}) }) }) }),
]);

/** Calls a procedure like a page does. Throws with the code of a refusal. */
export async function callProcedure(
  service: Pick<TestService, 'baseUrl'>,
  o: { path: string; input?: unknown; headers?: Record<string, string>; method?: 'GET' | 'POST' },
): Promise<{ data: unknown; cookies: string[] }> {
  const { method = 'GET' } = o;
  const url = new URL(`/api/trpc/${o.path}`, service.baseUrl);
  const input = o.input === undefined ? undefined : JSON.stringify(superjson.serialize(o.input));
  if (method === 'GET' && input !== undefined) url.searchParams.set('input', input);
  const response = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...o.headers },
    ...(method === 'POST' && input !== undefined ? { body: input } : {}),
  });
  const body = answer.parse(await response.json());
  if ('error' in body) throw new Error(String(body.error.json.data['code_word']));
  const data: unknown = superjson.deserialize(
    body.result.data as Parameters<typeof superjson.deserialize>[0],
  );
  return { data, cookies: response.headers.getSetCookie() };
}

const challenge = z.object({ message: z.string() });

/** Signs in like a page does, with a wallet that signs texts. */
export async function signIn(
  service: Pick<TestService, 'baseUrl'>,
  wallet: Wallet,
): Promise<Browser> {
  const { address } = wallet;
  const headers = { origin: service.baseUrl };
  const begun = await callProcedure(service, {
    path: 'session.begin',
    method: 'POST',
    headers,
    input: { address },
  });
  const { message } = challenge.parse(begun.data);
  const { cookies } = await callProcedure(service, {
    path: 'session.complete',
    method: 'POST',
    headers,
    input: {
      address,
      signed_message: Buffer.from(message).toString('base64'),
      signature: wallet.signText(message),
    },
  });
  const cookie = cookies[0]?.split(';')[0] ?? '';
  const named = (path: string, input: unknown): unknown =>
    path.startsWith('dashboard.') ? Object.assign({ wallet: address }, input) : input;
  const call = (method: 'GET' | 'POST') => async (path: string, input?: unknown) => {
    const o = { path, input: named(path, input), method, headers: { ...headers, cookie } };
    return (await callProcedure(service, o)).data;
  };
  return {
    cookie,
    query: call('GET'),
    mutate: call('POST'),
    get: (path) => fetch(new URL(path, service.baseUrl), { headers: { cookie } }),
  };
}

export type RegisterWish = { business_name?: string; country?: string; service_type?: string };

/** POST /register as a seller's wallet sends it. `headers` replace the usual ones. */
export function register(
  service: TestService,
  wallet: Wallet,
  o: RegisterWish & { time?: string; headers?: Record<string, string> } = {},
): Promise<Response> {
  const { time = new Date().toISOString(), headers, ...texts } = o;
  const body = {
    wallet_address: wallet.address,
    business_name: 'Corner bakery',
    country: 'DE',
    service_type: 'Bread',
    ...texts,
  };
  const hash = createHash('sha256')
    .update(canonicalize(body) ?? '')
    .digest('hex');
  return fetch(new URL('/register', service.baseUrl), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-wallet-address': wallet.address,
      'x-wallet-signature': wallet.signText(`quittance:register:${wallet.address}:${hash}:${time}`),
      'x-wallet-time': time,
      ...headers,
    },
    body: JSON.stringify(body),
  });
}

export function unregister(service: TestService, wallet: Wallet): Promise<Response> {
  const time = new Date().toISOString();
  const text = `quittance:unregister:${wallet.address}:${time}`;
  return fetch(new URL('/register', service.baseUrl), {
    method: 'DELETE',
    headers: {
      'x-wallet-address': wallet.address,
      'x-wallet-signature': wallet.signText(text),
      'x-wallet-time': time,
    },
  });
}

/** Starts a scheduled job now. */
export async function fireCron(service: TestService, functionId: string): Promise<void> {
  await fetch(`${service.runnerUrl}/_cron`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ functionId }),
  });
}

/** Runs a scheduled job now and returns when no run of it is open. */
export async function runCron(service: TestService, functionId: string): Promise<void> {
  await fireCron(service, functionId);
  await awaitIdle(service, functionId);
}

/** Waits until no run of a scheduled job is open. */
export async function awaitIdle({ prisma }: TestService, functionId: string): Promise<void> {
  for (;;) {
    const open = await prisma.$queryRaw<unknown[]>`
      select 1 from runner.runs where ended_at is null and fn_id like ${`%${functionId}`}`;
    if (open.length === 0) return;
    await sleep(50);
  }
}
