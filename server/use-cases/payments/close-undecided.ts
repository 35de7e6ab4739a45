import type { z } from 'zod';
import { listUndecided } from '@/server/admin/list-mints';
import { askEach, isFinalLanding, nodesNeeded } from '@/server/chain/node-statuses';
import { provenTop } from '@/server/chain/landing-margin';
import type { Rpc } from '@/server/chain/rpc';
import { RpcUnavailable } from '@quittance/verify/chain/rpc-errors';
import type { SignatureStatus } from '@quittance/verify/chain/rpc-schemas';
import { closeUndecided } from '@/server/chain/undecided-transactions';
import { writeAudit } from '@/server/db/audit';
import { databaseNow } from '@/server/db/database-clock';
import { ServiceError } from '@/server/errors';
import { plainRow } from './manage-ledger';
import type { closeUndecidedBody, closeUndecidedInput, undecidedBody } from '../mints/schemas';
import type { Call, OperatorActor } from '../call';

/** Transactions of which the nodes cannot prove whether they landed, longest first. */
export async function readUndecided({
  service: { db },
}: Call<null>): Promise<z.output<typeof undecidedBody>> {
  return { success: true, undecided: (await listUndecided(db)).map(plainRow) };
}

/**
 * Closes an undecided transaction because the operator says so. Everything that waits for it
 * continues as if it had never landed.
 *
 * Refused with 409 in these cases:
 * - two nodes that keep up (or the only node) know it as landed;
 * - one node knows it as landed, and no other that keeps up contradicts it;
 * - one node knows it as landed, and it is on record for less than ten minutes;
 * - it is not on record, or was closed.
 *
 * Nodes that are silent or stand still are no obstacle. Writes the audit row, with the operator's
 * checks, in the same transaction. Throws RpcUnavailable when no node answers.
 */
export async function closeUndecidedOnRecord({
  service: { db, rpc, clock },
  actor: { name: actor },
  input: { signature, checked },
}: Call<z.output<typeof closeUndecidedInput>, OperatorActor>): Promise<
  z.output<typeof closeUndecidedBody>
> {
  const row = await db.undecidedTransaction.findUnique({ where: { signature } });
  if (!row) throw notOpen(`${signature} is not on record as undecided`);
  const { status, isWitnessed, isContradicted } = await landingKnown(rpc, signature);
  const ageMs = (await databaseNow(db)).getTime() - row.since.getTime();
  if (status && (isWitnessed || !isContradicted || ageMs <= ONE_WORD_COUNTS_MS))
    throw new ServiceError(
      'undecided_is_known',
      `Nothing was closed: a node knows ${signature} as ${status.confirmationStatus} in slot ${status.slot}. The service settles it automatically within minutes.`,
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
      'Closed. Within minutes, everything that waits for it continues as if it had never landed. For 7 days, a daily job checks whether it landed after all.',
  };
}

/**
 * How long after it was recorded the word of a single node prevents closing it. Within two minutes a second
 * node that keeps up knows what really landed.
 */
const ONE_WORD_COUNTS_MS = 600_000;
/** Slots that a node may be behind the newest slot of any node and still count as keeping up: two minutes. */
const MOST_BEHIND_SLOTS = 300n;

/**
 * A landing that a node knows: a final one of any node, or a confirmed one of a node that keeps up.
 * A node that stands still would report the confirmed one for ever.
 */
async function landingKnown(
  rpc: Rpc,
  signature: string,
): Promise<{ status: SignatureStatus | null; isWitnessed: boolean; isContradicted: boolean }> {
  const asked = await Promise.all(askEach(rpc, (node) => node.seeSignature(signature)));
  const views = asked.filter((view) => view !== null);
  if (views.length === 0) throw new RpcUnavailable(`no node answered about ${signature}`);
  const newest = provenTop(views.map(({ slot }) => slot)) ?? 0n;
  const found = views.filter(
    ({ status, slot }) =>
      status?.err === null &&
      (isFinalLanding(status) ||
        (status.confirmationStatus === 'confirmed' && newest - slot <= MOST_BEHIND_SLOTS)),
  );
  const isWitnessed = found.length >= nodesNeeded(rpc.nodes);
  // Silence is no contradiction. Only a node that keeps up and does not know it contradicts.
  const isContradicted = views.some(
    ({ status, slot }) => status === null && newest - slot <= MOST_BEHIND_SLOTS,
  );
  return { status: found[0]?.status ?? null, isWitnessed, isContradicted };
}

function notOpen(why: string): ServiceError {
  return new ServiceError('undecided_not_open', `Nothing was closed: ${why}.`);
}
