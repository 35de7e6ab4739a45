import type { ServerResponse } from 'node:http';
import { answerJson, answerText } from './http';
import type { ItemRecord } from './item-store';
import { dataOf } from './read-item';
import type { StorageNode } from './storage-node';

/** `GET /:id`, like the gateway: the data with the content type in its tags. */
export async function serveData(
  node: StorageNode,
  response: ServerResponse,
  id: string,
): Promise<void> {
  const item = await node.items.load(id);
  if (!item) return answerText(response, 404, 'Not Found');
  const data = asForged(node, id, dataOf(item.raw));
  response.writeHead(200, {
    'content-type': contentType(item.record),
    'content-length': data.length,
    etag: `"${id}"`,
    'cache-control': 'public, max-age=31536000, immutable',
  });
  // Node leaves the body out of an answer to HEAD on its own.
  response.end(data);
}

/** The data of an item, with other words if a fault asks for that. */
function asForged(node: StorageNode, id: string, data: Buffer): Buffer {
  const { forge } = node.faults.current();
  return forge?.id === id ? Buffer.from(data.toString().replaceAll(forge.from, forge.to)) : data;
}

/** `GET /tx/:id` and the paths below it. */
export async function serveRecord(
  node: StorageNode,
  response: ServerResponse,
  id: string,
  part: string | undefined,
): Promise<void> {
  if (part === 'data') return serveData(node, response, id);
  const record = await node.items.find(id);
  if (!record) return answerText(response, 404, 'Not Found');
  if (part === undefined) return answerJson(response, describe(record));
  if (part === 'status') return answerJson(response, { status: 'CONFIRMED' });
  if (part === 'tags') return answerJson(response, record.tags);
  answerText(response, 404, 'Not Found');
}

function describe({ receipt: _receipt, dataSize, rawSize, ...rest }: ItemRecord) {
  return { ...rest, currency: rest.token, data_size: `${dataSize}`, raw_size: `${rawSize}` };
}

function contentType(record: ItemRecord): string {
  const tag = record.tags.find(({ name }) => name.toLowerCase() === 'content-type');
  // A tag may hold any text. A header takes only printable ASCII.
  return tag && /^[\x20-\x7e]+$/.test(tag.value) ? tag.value : 'application/octet-stream';
}
