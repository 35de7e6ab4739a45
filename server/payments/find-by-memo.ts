import type { Rpc } from '@/server/chain/rpc';
import { QUOTE_ID } from '@/server/ids';

/** Pages of 1,000 transactions that are looked through: more than a service sells in two days. */
const MOST_PAGES = 20;

/**
 * Signatures of the transactions in the history of an account whose memo is the id of one of some quotes,
 * back to an instant. Failed ones are left out. One RPC call for each 1,000 transactions.
 */
export async function findByMemo(
  rpc: Pick<Rpc, 'getSignaturesForAddress'>,
  o: { account: string; quoteIds: readonly string[]; since: Date },
): Promise<Map<string, string>> {
  const wanted = new Set(o.quoteIds);
  const found = new Map<string, string>();
  let before: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const lines = await rpc.getSignaturesForAddress(
      o.account,
      before === undefined ? {} : { before },
    );
    for (const { memo, failed, signature } of lines) {
      const id = failed ? undefined : memosOf(memo).find((text) => wanted.has(text));
      // Of several payments of one quote the earliest counts, which comes last.
      if (id !== undefined) found.set(id, signature);
    }
    const oldest = lines.at(-1);
    if (!oldest || (oldest.blockTime !== null && oldest.blockTime < o.since)) break;
    before = oldest.signature;
  }
  return found;
}

/** The quote ids in a line's memo: `[20] QT…; [5] hello`. */
function memosOf(memo: string | null): string[] {
  return (memo ?? '')
    .split('; ')
    .map((part) => part.replace(/^\[\d+\] /, ''))
    .filter((text) => QUOTE_ID.test(text));
}
