import { awaitMint } from '@/server/receipts/await-mint';
import { findStatement } from '@/server/statements/find-statement';
import { presentStatement } from '../present-statement';
import type { RequestContext } from '../request-context';
import type { StatementBody, StatementById } from '../statement-schemas';

/** A statement, with its NFT as soon as there is one; held back up to `wait` seconds while there is none. */
export async function readStatement(
  { service }: RequestContext,
  input: StatementById,
): Promise<StatementBody> {
  const { statement, mint } = await findStatement(service.db, input.statement_id);
  const now = await awaitMint(service.db, {
    id: mint.id,
    waitS: input.wait,
    until: (row) => row.status !== 'pending',
  });
  return presentStatement(service, { statement, mint: now ?? mint });
}
