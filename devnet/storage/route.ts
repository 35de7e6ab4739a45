import type { IncomingMessage, ServerResponse } from 'node:http';
import { ZodError } from 'zod';
import { answerBalance, takeFunding } from './answer-account';
import { answerQuery } from './answer-query';
import { answerJson, answerText, readJson, Refusal } from './http';
import { receiveItem } from './receive-item';
import { serveData, serveRecord } from './serve-item';
import { priceOf, type StorageNode } from './storage-node';

const MOST_FAULT_BYTES = 64 * 1024;

/** Answers any request. Never throws. */
export async function route(
  node: StorageNode,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    if (request.url === '/_faults') return await answerFaults(node, request, response);
    const { down, delayMs } = node.faults.current();
    if (down) return void request.socket.destroy();
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
    response.setHeader('access-control-allow-origin', '*');
    await answer(node, request, response);
  } catch (error) {
    if (response.headersSent || response.destroyed) return void response.destroy();
    if (error instanceof Refusal) {
      // The rest of a body that is too long is not read, so the connection cannot be used again.
      response.setHeader('connection', 'close');
      return answerText(response, error.status, error.message);
    }
    answerText(response, 500, error instanceof Error ? error.message : 'Internal error');
  }
}

async function answer(
  node: StorageNode,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://node');
  const [first, second, third, ...more] = url.pathname.split('/').filter(Boolean);
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const unknown = () => answerText(response, 404, 'Not Found');
  if (method === 'OPTIONS') {
    response.setHeader('access-control-allow-methods', 'GET, HEAD, POST, OPTIONS');
    response.setHeader('access-control-allow-headers', '*');
    return void response.writeHead(204).end();
  }
  if (first === undefined || more.length > 0) return unknown();

  switch (`${method} ${first}`) {
    case 'POST tx':
      if (third !== undefined) return unknown();
      if (second !== undefined && second !== 'solana')
        return answerText(response, 400, `Invalid token ${second}`);
      return receiveItem(node, request, response);
    case 'GET tx':
      return second === undefined ? unknown() : serveRecord(node, response, second, third);
    case 'GET price':
      if (second !== 'solana' || !/^\d{1,15}$/.test(third ?? ''))
        return answerText(response, 400, 'Invalid token or size');
      return answerText(response, 200, priceOf(node, Number(third)).toString());
    case 'GET account':
    case 'POST account':
      if (second !== 'balance' || third !== 'solana') return unknown();
      return method === 'POST'
        ? takeFunding(node, request, response)
        : answerBalance(node, response, url.searchParams.get('address'));
    case 'POST graphql':
      return second === undefined ? answerQuery(node, request, response) : unknown();
  }
  if (method !== 'GET' || second !== undefined) return unknown();
  switch (first) {
    case 'info':
      return answerJson(response, {
        version: 'embedded',
        addresses: { solana: node.keys.address },
        gateway: request.headers.host,
      });
    case 'public':
      return answerText(response, 200, node.keys.modulus);
    case 'status':
      return answerText(response, 200, 'OK');
  }
  return node.faults.take('hideGateway') ? unknown() : serveData(node, response, first);
}

/** `/_faults`: the switches of tests, which answer even when the node simulates an outage. */
async function answerFaults(
  node: StorageNode,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method === 'DELETE') node.faults.clear();
  if (request.method === 'POST') {
    const body = await readJson(request, MOST_FAULT_BYTES);
    try {
      node.faults.set(body);
    } catch (error) {
      if (error instanceof ZodError) throw new Refusal(400, error.message);
      throw error;
    }
  }
  answerJson(response, { faults: node.faults.current(), uploads: node.faults.uploads() });
}
