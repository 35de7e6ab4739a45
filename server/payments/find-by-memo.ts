import type { Rpc } from '@/server/chain/rpc';
import type { SignatureLine } from '@quittance/verify/chain/rpc-schemas';
import { RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import { QUOTE_ID } from '@/server/ids';
import { olderLine } from './older-line';

/** One node may take so long for a history, as for a look for debits. */
const MOST_MS = 8_000;

/**
 * The transactions in the history of an account whose memo is the id of a quote, oldest first, back to an
 * instant. Failed ones are left out. Anybody can write such a memo, so each is only a candidate: see
 * `findQualifying`. There is no limit of pages: a stranger's thousands must not hide one. One RPC call for
 * each 1,000 transactions. Throws RpcUnavailable after `mostMs`, and for pages that lead no
 * further back.
 */
export async function findByMemo(
  rpc: Pick<Rpc, 'getSignaturesForAddress'>,
  o: { account: string; quoteId: string; since: Date; mostMs?: number },
): Promise<SignatureLine[]> {
  const lines = await linesSince(rpc, o);
  return lines.filter(({ memo }) => memosOf(memo).includes(o.quoteId)).reverse();
}

/** Ids of all quotes that transactions in the history of an account name, back to an instant, failed ones aside. */
export async function namedQuotes(
  rpc: Pick<Rpc, 'getSignaturesForAddress'>,
  o: { account: string; since: Date; mostMs?: number },
): Promise<ReadonlySet<string>> {
  return new Set((await linesSince(rpc, o)).flatMap(({ memo }) => memosOf(memo)));
}

/** The newest first. */
async function linesSince(
  rpc: Pick<Rpc, 'getSignaturesForAddress'>,
  { account, since, mostMs = MOST_MS }: { account: string; since: Date; mostMs?: number },
): Promise<SignatureLine[]> {
  const end = performance.now() + mostMs;
  const found: SignatureLine[] = [];
  let last: SignatureLine | undefined;
  for (;;) {
    const lines = await rpc.getSignaturesForAddress(
      account,
      last === undefined ? {} : { before: last.signature },
    );
    found.push(...lines.filter(({ failed }) => !failed));
    const oldest = lines.at(-1);
    if (!oldest || (oldest.blockTime !== null && oldest.blockTime < since)) return found;
    if (performance.now() > end)
      throw new RpcUnavailable(`The history of ${account} is too long to be read in time`);
    last = olderLine(oldest, last);
  }
}

/** The quote ids in a line's memo: `[20] QT…; [5] hello`. */
function memosOf(memo: string | null): string[] {
  return (memo ?? '')
    .split('; ')
    .map((part) => part.replace(/^\[\d+\] /, ''))
    .filter((text) => QUOTE_ID.test(text));
}
