import type { z } from 'zod';
import { failedMints, listHeld, listMints, showMint } from '@/server/admin/list-mints';
import { ServiceError } from '@/server/errors';
import { toDecimal } from '@quittance/verify/money';
import { releaseHeld, retryMint } from '@/server/nft/retry-mint';
import { listUnpresented, type Unpresented } from '@/server/payments/ledger/find-arrived';
import { setLabelsHidden } from '@/server/receipts/hide-labels';
import { setNameHidden } from '@/server/registrations/registrations';
import { plainRow } from '../payments/manage-ledger';
import type {
  adminMintsBody,
  adminMintsInput,
  heldBody,
  HeldInput,
  hideBody,
  hideInput,
  mintStoryBody,
  releaseBody,
  releaseInput,
  retryAllBody,
  retryBody,
} from './schemas';
import type { Call, OperatorActor } from '../call';

/** Mints that one request queues: each is an event to the job server. */
const BATCH = 100;

/** Mints of a status, newest first. */
export async function readMints({
  service: { db },
  input,
}: Call<z.output<typeof adminMintsInput>>): Promise<z.output<typeof adminMintsBody>> {
  const page = await listMints(db, {
    status: input.status ?? null,
    cursor: input.cursor ?? null,
  });
  return {
    success: true,
    mints: page.mints.map((mint) => ({
      receipt_id: mint.id,
      kind: mint.kind,
      mint_status: mint.status,
      stage: mint.stage,
      attempts: mint.attempts,
      last_error: mint.lastError,
      paid: mint.paid,
      redrives: mint.redrives,
      mint_signature: mint.mintSignature,
      created_at: mint.createdAt.toISOString(),
      updated_at: mint.updatedAt.toISOString(),
    })),
    next_cursor: page.nextCursor,
  };
}

/** Everything on record about one mint. */
export async function readMintStory({
  service: { db },
  input: { receipt_id: id },
}: Call<{ receipt_id: string }>): Promise<z.output<typeof mintStoryBody>> {
  const story = await showMint(db, id);
  if (!story) throw notFound(id);
  return {
    success: true,
    mint: plainRow(story.mint),
    tries: story.tries.map(plainRow),
    audit: story.audit.map(plainRow),
  };
}

/** Queues a failed mint again, on the same exactly-once path. Throws 409 when it is not failed. */
export async function retryOneMint({
  service: { db, clock, jobs },
  actor: { name: actor },
  input: { receipt_id: id },
}: Call<{ receipt_id: string }, OperatorActor>): Promise<z.output<typeof retryBody>> {
  const result = await retryMint(db, { id, actor, now: clock.now() });
  if (result.state === 'not_found') throw notFound(id);
  if (result.state === 'refused')
    throw new ServiceError('mint_not_failed', `Nothing was retried: ${result.reason}.`);
  await jobs.startMint({ id, paid: result.paid }, result.round);
  return {
    success: true,
    receipt_id: id,
    mint_status: 'pending',
    message: 'The mint is re-queued: see /mint/status/{receipt_id}.',
  };
}

/** Queues failed mints again, oldest first, a batch at a time. */
export async function retryFailedMints({
  service: { db, clock, jobs },
  actor: { name: actor },
}: Call<null, OperatorActor>): Promise<z.output<typeof retryAllBody>> {
  const found = await failedMints(db, BATCH + 1);
  const retried: string[] = [];
  for (const id of found.slice(0, BATCH)) {
    const result = await retryMint(db, { id, actor, now: clock.now() });
    if (result.state !== 'retried') continue;
    retried.push(id);
    await jobs.startMint({ id, paid: result.paid }, result.round);
  }
  return { success: true, retried, more: found.length > BATCH };
}

/** Mints and payments that wait, and for what. */
export async function readHeld({
  service,
  input,
}: Call<HeldInput>): Promise<z.output<typeof heldBody>> {
  const { db, clock } = service;
  const cursor = input.cursor ?? null;
  const page = await listUnpresented(service, { cursor });
  const held = cursor === null ? await listHeld(db, clock.now()) : { mints: [], payments: [] };
  return {
    success: true,
    mints: held.mints.map(plainRow),
    payments: held.payments.map(plainRow),
    arrived: page.arrived.map(describeArrived),
    next_cursor: page.nextCursor,
  };
}

function describeArrived(one: Unpresented): z.output<typeof heldBody>['arrived'][number] {
  return {
    signature: one.signature,
    wallet: one.wallet,
    token: one.token,
    amount: toDecimal(one.amountRaw, one.decimals),
    left: toDecimal(one.leftRaw, one.decimals),
    left_raw: one.leftRaw.toString(),
    slot: Number(one.slot),
    block_time: one.blockTime.toISOString(),
    payers: one.payers,
    witnessed: one.isWitnessed,
    held: one.isHeld,
  };
}

/** Queues waiting mints now: those named, or all that wait. */
export async function releaseMints({
  service: { db, clock, jobs },
  actor: { name: actor },
  input,
}: Call<z.output<typeof releaseInput>, OperatorActor>): Promise<z.output<typeof releaseBody>> {
  const now = clock.now();
  const ids = input.receipt_ids ?? (await listHeld(db, now)).mints.map(({ id }) => id);
  const released = await releaseHeld(db, { ids, actor, now });
  for (const mint of released) await jobs.startMint(mint, mint.round);
  return { success: true, released: released.map(({ id }) => id) };
}

/**
 * Hides what a person wrote, or shows it again: the labels of a receipt, or the business name of a wallet. Throws
 * 404 if there is none.
 */
export async function hideWords({
  service: { db, clock },
  actor: { name: actor },
  input,
}: Call<z.output<typeof hideInput>, OperatorActor>): Promise<z.output<typeof hideBody>> {
  const { receipt_id: receiptId, wallet_address: wallet, hidden, reason } = input;
  const hiding = { hidden, reason, actor, now: clock.now() };
  const isFound = await db.$transaction((tx) =>
    receiptId === undefined
      ? setNameHidden(tx, { ...hiding, wallet: wallet ?? '' })
      : setLabelsHidden(tx, { ...hiding, receiptId }),
  );
  if (!isFound)
    throw new ServiceError(
      'receipt_not_found',
      receiptId === undefined
        ? `The wallet ${wallet ?? ''} was never registered.`
        : `There is no receipt ${receiptId}. Statements have no labels to hide.`,
    );
  return {
    success: true,
    receipt_id: receiptId ?? null,
    wallet_address: wallet ?? null,
    hidden,
    message: hidden
      ? 'Pages, images and lists now show a note instead. Files on permanent storage stay as they were signed.'
      : 'It is shown again.',
  };
}

function notFound(id: string): ServiceError {
  return new ServiceError('receipt_not_found', `There is no receipt or statement ${id}.`);
}
