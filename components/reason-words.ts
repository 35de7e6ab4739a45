import type { LeftOutReason } from '@quittance/verify/chain/movements';
import type { TransferRefusal } from '@quittance/verify/chain/transfer';
import type { Translate } from '@/i18n/translate';

/** The parts of a transaction besides its payments, by the `reason` of the API. */
const LEFT_OUT = {
  network_fee: true,
  priority_fee: true,
  rent_opened: true,
  rent_returned: true,
  rent_grown: true,
  rent_handed_over: true,
  account_funding: true,
  tip: true,
  self_transfer: true,
  minted: true,
  burned: true,
  exchanged: true,
} satisfies Record<LeftOutReason | 'exchanged', true>;

/** Why a statement has no row for a transaction, by the `reason` of the API. */
const SKIPPED = {
  below_min_usd: true,
  not_a_payment: true,
  not_final: true,
  owner_unknown: true,
  rate_not_covered: true,
  several_payers: true,
  transaction_failed: true,
  unreadable_transaction: true,
  unsupported_token: true,
  wallet_not_involved: true,
} satisfies Record<SkippedReason, true>;

/**
 * The legs of these are rows, so the transaction is not skipped. A scan finds no transaction that
 * does not exist.
 */
type Stated = 'several_sellers' | 'several_tokens' | 'transaction_not_found';
type SkippedReason =
  | Exclude<TransferRefusal, Stated>
  | 'below_min_usd'
  | 'not_final'
  | 'rate_not_covered'
  | 'unsupported_token'
  | 'wallet_not_involved';

type Texts = Translate<'reasons'>;

/** A left-out reason in words. A reason unknown here is shown in its API form. */
export function leftOutWords(t: Texts, reason: string): string {
  return isOneOf(LEFT_OUT, reason) ? t(`leftOut.${reason}`) : plain(reason);
}

/** A reason for a skipped transaction in words. A reason unknown here is shown in its API form. */
export function skippedWords(t: Texts, reason: string): string {
  return isOneOf(SKIPPED, reason) ? t(`skipped.${reason}`) : plain(reason);
}

function isOneOf<K extends string>(known: Record<K, true>, reason: string): reason is K {
  return Object.hasOwn(known, reason);
}

function plain(reason: string): string {
  const words = reason.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
