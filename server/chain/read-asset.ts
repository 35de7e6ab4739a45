import { readAssetBy, type AssetNow } from '@quittance/verify/chain/read-asset';
import { exchange, HttpTrouble } from '@/server/http';

const TIMEOUT_MS = 10_000;
/** An asset with its metadata's own JSON is some kilobytes; a proof of 30 levels is 2. */
const MOST_BYTES = 1024 * 1024;

/** The asset and its proof from the first node that keeps an index of assets. Null: none gave a usable answer. */
export function readAsset(o: {
  urls: readonly string[];
  assetId: string;
}): Promise<AssetNow | null> {
  return readAssetBy(askIndex, o);
}

async function askIndex(url: string, question: unknown): Promise<unknown> {
  try {
    const { body } = await exchange({
      url,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(question),
      timeoutMs: TIMEOUT_MS,
      mostBytes: MOST_BYTES,
    });
    return JSON.parse(body.toString('utf8'));
  } catch (error) {
    if (error instanceof HttpTrouble || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
