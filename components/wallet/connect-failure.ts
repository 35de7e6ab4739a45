import type { Messages } from '@/i18n/messages';
import { isRejection } from './signer';

/** The reason for a failed connection: a text of `wallet.pick` with its values. */
export type PickFailure = {
  why: keyof Messages['wallet']['pick'];
  /** As in `Signer`. */
  wallet: string;
  /** The wallet's own words. */
  said?: string;
};

/** The failure for an adapter's error. Only the words of an error tell those of wallet apps apart. */
export function connectFailure(wallet: string, error: unknown): PickFailure {
  const said = error instanceof Error ? error.message : '';
  if (/local network access permission/i.test(said)) return { why: 'noLocal', wallet };
  if (/no installed wallet/i.test(said)) return { why: 'noApp', wallet };
  if (isRejection(error)) return { why: 'rejected', wallet };
  return said === '' ? { why: 'failed', wallet } : { why: 'said', wallet, said };
}
