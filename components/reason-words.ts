import type { LeftOutReason } from '@quittance/verify/chain/movements';
import type { TransferRefusal } from '@quittance/verify/chain/transfer';

/** What stands in a transaction beside its payments, by the `reason` of the API. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  network_fee: 'Network fee',
  priority_fee: 'Priority fee',
  rent_opened: 'Rent for a new account',
  rent_returned: 'Rent returned by a closed account',
  rent_grown: 'Rent for a larger account',
  rent_handed_over: 'Rent handed over with an account',
  account_funding: 'Funding of a program account',
  tip: 'Tip to a validator or relay',
  self_transfer: 'Moved between own accounts',
  minted: 'Newly minted',
  burned: 'Burned',
  exchanged: 'Exchanged on the way',
} satisfies Record<LeftOutReason | 'exchanged', string>;

/** Why a statement has no row for a transaction, by the `reason` of the API. */
const SKIPPED: Readonly<Record<string, string>> = {
  below_min_usd: 'Below the smallest amount listed',
  not_a_payment: 'Not a payment, for example a swap',
  not_final: 'Not final yet',
  owner_unknown: 'Owner of an account not proven',
  rate_not_covered: 'No rate published for the day',
  several_payers: 'Several wallets paid',
  transaction_failed: 'Failed on chain',
  unreadable_transaction: 'Cannot be read',
  unsupported_token: 'Token without a value in dollars',
  wallet_not_involved: 'Nothing paid or received by this wallet',
} satisfies Record<SkippedReason, string>;

/** Legs of these are rows, so nothing is skipped for them; a scan finds no transaction that does not exist. */
type Stated = 'several_sellers' | 'several_tokens' | 'transaction_not_found';
type SkippedReason =
  | Exclude<TransferRefusal, Stated>
  | 'below_min_usd'
  | 'not_final'
  | 'rate_not_covered'
  | 'unsupported_token'
  | 'wallet_not_involved';

/** A left-out reason in words. A reason that is new here is shown as its own words. */
export function leftOutWords(reason: string): string {
  return LEFT_OUT[reason] ?? plain(reason);
}

/** A reason for a skipped transaction in words. A reason that is new here is shown as its own words. */
export function skippedWords(reason: string): string {
  return SKIPPED[reason] ?? plain(reason);
}

function plain(reason: string): string {
  const words = reason.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
