/**
 * Steps of a mint in order; a mint's `stage` is the last one done. `final`: the transfer and its payment
 * are final. `landed`: the mint transaction was seen confirmed. `closed`: it was seen final.
 */
export const MINT_STAGES = [
  'requested',
  'final',
  'image_stored',
  'metadata_stored',
  'signed',
  'landed',
  'recorded',
  'closed',
] as const;
export type MintStage = (typeof MINT_STAGES)[number];

/** What an NFT stands for. */
export const MINT_KINDS = ['receipt', 'statement'] as const;
export type MintKind = (typeof MINT_KINDS)[number];

/** Outcome of a write that only the holder of the lease may make. */
export type Fenced = 'done' | 'lost_lease';

/** Refusals after which a mint waits for a person or a participant to ask again. */
export const MOST_ATTEMPTS = 3;

/** Without a sign of life for so long, the sweep sends a mint on its way again. */
export const QUIET_MS = 60_000;

/** Codes in `lastError` of mints whose transfer or payment vanished; these are never retried. */
export const DROPPED = ['transaction_dropped', 'payment_dropped'] as const;
export type DroppedCode = (typeof DROPPED)[number];

/** Whether a stage, as stored, is `least` or later. An unknown word is before every stage. */
export function isAtLeast(stage: string, least: MintStage): boolean {
  return MINT_STAGES.findIndex((one) => one === stage) >= MINT_STAGES.indexOf(least);
}

/** Stages before `stage`, for updates that only move forward. */
export function stagesBefore(stage: MintStage): MintStage[] {
  return MINT_STAGES.slice(0, MINT_STAGES.indexOf(stage));
}

/** When the sweep may look at a mint that gave a sign of life at `now`. */
export function quietUntil(now: Date): Date {
  return new Date(now.getTime() + QUIET_MS);
}
