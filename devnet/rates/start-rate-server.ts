import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { ZodError } from 'zod';
import { answerJson, answerText, readJson, Refusal } from '../storage/http';
import { answerRates } from './answer-rates';
import { createFaults } from './faults';
import type { RateServer } from './rate-server';
import { readSampleRates, type SampleRates } from './sample-rates';

const MOST_FAULT_BYTES = 64 * 1024;

/**
 * A source of sample rates in the layouts of the real ones. These are Frankfurter's v2 and v1 (same
 * banks, bases and rounding), the dated files of currency-api, and Coinbase Exchange's daily
 * candles. Every day has the numbers of one day, also for the ECB.
 */
export async function startRateServer(o: {
  /** 0 takes any free port. */
  port: number;
  rates?: SampleRates;
  now?: () => Date;
}): Promise<{ url: string; requests: readonly string[]; close(): Promise<void> }> {
  const now = o.now ?? (() => new Date());
  const parts: RateServer = {
    rates: o.rates ?? readSampleRates(),
    faults: createFaults(now),
    requests: [],
    now,
  };
  const server = createServer((request, response) => void route(parts, request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(o.port, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : o.port;
  return {
    url: `http://127.0.0.1:${port}`,
    requests: parts.requests,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function route(
  parts: RateServer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    if (request.url === '/_faults') return await answerFaults(parts, request, response);
    const { down, delayMs } = parts.faults.current();
    if (down) return void request.socket.destroy();
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
    parts.requests.push(request.url ?? '/');
    if (parts.requests.length > MOST_REMEMBERED) parts.requests.shift();
    const fault = parts.faults.takeStatus();
    if (fault) return answerText(response, fault.code, fault.body);
    const answer = answerRates(parts, new URL(request.url ?? '/', 'http://rates'));
    if (answer === null) return answerJson(response, { status: 404, message: 'not found' }, 404);
    answerJson(response, answer);
  } catch (error) {
    if (response.headersSent || response.destroyed) return void response.destroy();
    if (error instanceof Refusal) {
      const { status, message } = error;
      if (request.url?.startsWith('/v') === true)
        return answerJson(response, { status, message }, status);
      return answerText(response, status, message);
    }
    answerText(response, 500, error instanceof Error ? error.message : 'Internal error');
  }
}

const MOST_REMEMBERED = 10_000;

/** `/_faults`: the switches of tests, which answer even when the server simulates an outage. */
async function answerFaults(
  parts: RateServer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method === 'DELETE') parts.faults.clear();
  if (request.method === 'POST') {
    const body = await readJson(request, MOST_FAULT_BYTES);
    try {
      parts.faults.set(body);
    } catch (error) {
      if (error instanceof ZodError) throw new Refusal(400, error.message);
      throw error;
    }
  }
  answerJson(response, { faults: parts.faults.current(), requests: parts.requests.length });
}
