import { expect, it } from 'vitest';
import type { Rpc } from '@/server/chain/rpc';
import { RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import type { SignatureLine } from '@quittance/verify/chain/rpc-schemas';
import { trusted } from '@/server/trusted';
import { historyOf } from './list-from-node';

const line = (signature: string, slot: bigint): SignatureLine => ({
  signature,
  slot,
  failed: false,
  final: true,
  blockIndex: null,
  memo: null,
  blockTime: null,
});

/** Signatures of a history whose pages come in this order, and then none. */
async function read(pages: SignatureLine[][]): Promise<string[]> {
  const rest = [...pages];
  const node = trusted<Rpc>(
    { getSignaturesForAddress: async () => rest.shift() ?? [] },
    'nothing else is asked',
  );
  const found: string[] = [];
  for await (const { lines } of historyOf(node, { account: 'till', since: 0n }))
    found.push(...lines.map(({ signature }) => signature));
  return found;
}

it('a history is read to its end, and one whose node repeats a page is not', async () => {
  expect(await read([[line('c', 3n), line('b', 2n)], [line('a', 2n)]])).toEqual(['c', 'b', 'a']);
  const again = [line('c', 3n), line('b', 2n)];
  await expect(read([again, again, again])).rejects.toThrow(RpcUnavailable);
});
