import type { z } from 'zod';
import { listUndecided } from '@/server/admin/list-undecided';
import { isFinalLanding } from '@/server/chain/node-statuses';
import type { Rpc } from '@/server/chain/rpc';
import { isNodeSilence, RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import type { SignatureStatus } from '@quittance/verify/chain/rpc-schemas';
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
 * Refused with 409 while a node that keeps up knows it as landed, and for one that is not on record or was
 * closed. Nodes that are silent or stand still are no obstacle. The audit row, with what the operator looked at,
 * is written with it. Throws RpcUnavailable when no node answers.
 */
export async function closeUndecidedOnRecord(
  { service: { db, rpc, clock }, actor }: AdminContext,
  { signature, checked }: z.output<typeof closeUndecidedInput>,
): Promise<z.output<typeof closeUndecidedBody>> {
  const row = await db.undecidedTransaction.findUnique({ where: { signature } });
  if (!row) throw notOpen(`${signature} is not on record as undecided`);
  const status = await landingKnown(rpc, signature);
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

/** Slots that a node may be behind the newest one that any node has seen, and still keep up: two minutes. */
const MOST_BEHIND_SLOTS = 300n;

/**
 * A landing that a node knows: a final one of any node, or one that is not final of a node that keeps up, since
 * a node that stands still says so for ever.
 */
async function landingKnown(rpc: Rpc, signature: string): Promise<SignatureStatus | null> {
  const asked = Array.from({ length: rpc.nodes }, async (_, node) => {
    try {
      return await rpc.onNode(node).seeSignature(signature);
    } catch (error) {
      if (isNodeSilence(error)) return null;
      throw error;
    }
  });
  const views = (await Promise.all(asked)).filter((view) => view !== null);
  if (views.length === 0) throw new RpcUnavailable(`no node could tell of ${signature}`);
  const newest = views.reduce((most, { slot }) => (slot > most ? slot : most), 0n);
  const found = views.find(
    ({ status, slot }) =>
      status?.err === null &&
      (isFinalLanding(status) ||
        (status.confirmationStatus === 'confirmed' && newest - slot <= MOST_BEHIND_SLOTS)),
  );
  return found?.status ?? null;
}

function notOpen(why: string): ServiceError {
  return new ServiceError('undecided_not_open', `Nothing was closed: ${why}.`);
}
