import type { z } from 'zod';
import { listUndecided } from '@/server/admin/list-undecided';
import { closeUndecided } from '@/server/chain/undecided';
import { writeAudit } from '@/server/db/audit';
import { ServiceError } from '@/server/errors';
import type { AdminContext } from '../admin-context';
import type { closeUndecidedBody, closeUndecidedInput, undecidedBody } from '../admin-schemas';
import { plainRow } from '../plain-row';
import type { RequestContext } from '../request-context';

/** Transactions of which the nodes cannot prove whether they landed, longest first. */
export async function readUndecided({
  service: { db },
}: RequestContext): Promise<z.output<typeof undecidedBody>> {
  return { success: true, undecided: (await listUndecided(db)).map(plainRow) };
}

/**
 * Closes an undecided transaction on the operator's word: what waits for it goes on as if it had never landed.
 * Refused with 409 while a node knows it, and for one that is not on record or was closed. The audit row, with
 * what the operator looked at, is written with it.
 */
export async function closeUndecidedOnRecord(
  { service: { db, rpc, clock }, actor }: AdminContext,
  { signature, checked }: z.output<typeof closeUndecidedInput>,
): Promise<z.output<typeof closeUndecidedBody>> {
  const row = await db.undecidedTransaction.findUnique({ where: { signature } });
  if (!row) throw notOpen(`${signature} is not on record as undecided`);
  const [status] = await rpc.getSignatureStatuses([signature]);
  if (status)
    throw new ServiceError(
      'undecided_is_known',
      `Nothing was closed: a node knows ${signature} as ${status.confirmationStatus} in slot ${status.slot}. The service settles it without you within minutes.`,
    );
  await db.$transaction(async (tx) => {
    const isClosed = await closeUndecided(tx, { signature, note: checked });
    if (!isClosed) throw notOpen(`${signature} was closed before`);
    await writeAudit(tx, {
      at: clock.now(),
      actor,
      action: 'undecided.close',
      subject: row.subject,
      detail: { signature, kind: row.kind, reason: row.reason, checked },
    });
  });
  return {
    success: true,
    signature,
    message:
      'Closed on record: what waits for it goes on as if it had never landed, within minutes. A daily pass looks for it for 7 days.',
  };
}

function notOpen(why: string): ServiceError {
  return new ServiceError('undecided_not_open', `Nothing was closed: ${why}.`);
}
