import { leafOf, pathOf } from '@quittance/verify/statements/merkle';
import { presentRow } from '@quittance/verify/statements/statement-rows';
import { ServiceError } from '@/server/errors';
import { awaitMint } from '@/server/receipts/find-receipt';
import { findStatement } from '@/server/statements/find-statement';
import { loadRows } from '@/server/statements/stored-rows';
import { presentStatement } from './present-statement';
import type {
  StatementBody,
  StatementById,
  StatementProofBody,
  StatementProofInput,
} from './schemas';
import type { Call } from '../call';

/**
 * A statement, with its NFT as soon as there is one. The answer waits up to `wait` seconds while
 * there is none.
 */
export async function readStatement({
  service,
  input,
}: Call<StatementById>): Promise<StatementBody> {
  const { statement, mint } = await findStatement(service.db, input.statement_id);
  const now = await awaitMint(service.db, {
    id: mint.id,
    waitS: input.wait,
    until: (row) => row.status !== 'pending',
  });
  return presentStatement(service, { statement, mint: now ?? mint });
}

/**
 * How one row leads to the Merkle root in the statement's NFT: the leg asked for, else the first of the
 * transaction. Throws 404.
 */
export async function proveRow({
  service,
  input,
}: Call<StatementProofInput>): Promise<StatementProofBody> {
  const { statement } = await findStatement(service.db, input.statement_id);
  const rows = await loadRows(service.db, statement.id);
  const position = rows.findIndex(
    ({ txSignature, leg }) =>
      txSignature === input.tx_signature && (input.leg === undefined || leg === input.leg),
  );
  const row = rows[position];
  if (!row)
    throw new ServiceError(
      'statement_not_found',
      `The statement ${statement.id} does not list ${input.leg === undefined ? '' : `leg ${input.leg} of `}the transaction ${input.tx_signature}.`,
    );
  const leaves = rows.map((one) => leafOf(presentRow(one)));
  return {
    success: true,
    statement_id: statement.id,
    tx_signature: input.tx_signature,
    position,
    row: presentRow(row),
    leaf: leaves[position] ?? '',
    path: pathOf(leaves, position),
    merkle_root: statement.merkleRoot,
  };
}
