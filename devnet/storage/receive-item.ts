import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerJson, answerText, readBody } from './http';
import type { ItemRecord } from './item-store';
import { readItem, type Item } from './read-item';
import { priceOf, type StorageNode } from './storage-node';

/** The real node takes larger items in chunks, which this one leaves out. */
const MOST_BYTES = 50_000_000;
/** Height of the first receipt. The number has no meaning here. */
const FIRST_HEIGHT = 1_500_000;

type Taken =
  | { state: 'stored'; receipt: ItemRecord['receipt'] }
  | { state: 'duplicate' }
  | { state: 'unpaid' };

/** `POST /tx/solana`: checks, charges and stores an item, and answers with a signed receipt. */
export async function receiveItem(
  node: StorageNode,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const item = await readItem(await readBody(request, MOST_BYTES));
  if ('refusal' in item) return answerText(response, 400, item.refusal);
  node.faults.countUpload(item.id);
  const status = node.faults.takeStatus();
  if (status) return answerText(response, status.code, status.body);
  if (node.faults.take('dropBeforeStore')) return void response.destroy();

  const taken = await node.serialise(() => takeItem(node, item));
  if (taken.state === 'unpaid')
    return answerText(response, 402, 'Not enough balance for transaction', { 'retry-after': '60' });
  if (node.faults.take('dropAfterStore')) return void response.destroy();
  if (taken.state === 'duplicate')
    return answerText(response, 201, `Transaction ${item.id} already received`);
  answerJson(response, taken.receipt);
}

async function takeItem(node: StorageNode, item: Item): Promise<Taken> {
  const { id, raw, dataSize, ...rest } = item;
  if (await node.items.find(id)) return { state: 'duplicate' };
  const fee = priceOf(node, raw.length);
  if (fee > node.accounts.balance(item.address)) return { state: 'unpaid' };
  const timestamp = Date.now();
  const height = FIRST_HEIGHT + node.items.count();
  const receipt = await node.keys.signReceipt({ id, timestamp, height });
  const sizes = { dataSize, rawSize: raw.length };
  const record = {
    id,
    token: 'solana',
    ...rest,
    ...sizes,
    fee: fee.toString(),
    timestamp,
  } as const;
  await node.items.put({ ...record, receipt }, raw);
  return { state: 'stored', receipt };
}
