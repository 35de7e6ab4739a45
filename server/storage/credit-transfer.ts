import { answerText, requestStorage, StorageUnavailable } from './request-storage';

const TIMEOUT_MS = 10_000;
const MOST_ANSWER_BYTES = 4096;

export type Credited =
  | { state: 'credited' }
  /** The node waits for the chain. */
  | { state: 'pending' }
  /** Not credited; a node that has not seen the transfer yet says no as well, so this is not for good. */
  | { state: 'refused'; message: string };

/**
 * Tells the storage node of a transfer of SOL to its address, which it then adds to the balance of the
 * sender. Safe to repeat: a transfer counts once. Throws {@link StorageUnavailable} when there is no answer.
 */
export async function creditTransfer(o: {
  uploadUrl: string;
  signature: string;
}): Promise<Credited> {
  const answer = await requestStorage({
    url: `${o.uploadUrl}/account/balance/solana`,
    method: 'POST',
    body: Buffer.from(JSON.stringify({ tx_id: o.signature })),
    contentType: 'application/json',
    timeoutMs: TIMEOUT_MS,
    mostBytes: MOST_ANSWER_BYTES,
  });
  if (!answer.ok) throw new StorageUnavailable(answer.message);
  const text = answerText(answer.body);
  if (answer.status === 200 || /already processed/i.test(text)) return { state: 'credited' };
  if (answer.status === 202) return { state: 'pending' };
  return { state: 'refused', message: `${answer.host} answered ${answer.status}: ${text}` };
}
