import { NO_ANSWER_IN_TIME, type ApiFailure } from '../api-client';
import { decimalOf } from '../ui/amount';
import { AnotherAccount, isRejection } from '../wallet/signer';
import { WalletSilent } from '../wallet/wallet-wait';
import type { Failure } from './order-failed';

export const REJECTED_PROOF: Failure = {
  code: 'rejected_proof',
  kind: 'warning',
  words: 'rejectedProof',
  way: 'again',
};

export const REJECTED_PAYMENT: Failure = {
  code: 'rejected_payment',
  kind: 'warning',
  words: 'rejectedPayment',
  way: 'again',
};

export const CANNOT_SIGN: Failure = {
  code: 'cannot_sign',
  kind: 'error',
  words: 'cannotSign',
  way: 'other_wallet',
};

export const CANNOT_PAY: Failure = {
  code: 'cannot_pay',
  kind: 'error',
  words: 'cannotPay',
  way: 'other_wallet',
};

export const EXPIRED: Failure = {
  code: 'expired',
  kind: 'warning',
  words: 'expired',
  way: 'again',
};

export const NOT_SENT: Failure = {
  code: 'not_sent',
  kind: 'warning',
  words: 'notSent',
  way: 'again',
};

/** The wallet was not asked, because it is on another account than the page shows. */
const SWITCHED: Failure = {
  code: 'another_account',
  kind: 'warning',
  words: 'switched',
  way: 'other_wallet',
};

export function notEnoughUsdc(o: { haveRaw: string; needRaw: string }): Failure {
  return {
    code: 'not_enough_usdc',
    kind: 'error',
    words: 'notEnoughUsdc',
    amounts: { have: decimalOf(o.haveRaw, 6), need: decimalOf(o.needRaw, 6) },
    way: 'again',
  };
}

export function notEnoughSol(o: { haveLamports: string; needLamports: string }): Failure {
  return {
    code: 'not_enough_sol',
    kind: 'error',
    words: 'notEnoughSol',
    amounts: { have: decimalOf(o.haveLamports, 9), need: decimalOf(o.needLamports, 9, 4) },
    way: 'again',
  };
}

export function failedOnChain(detail: string | null): Failure {
  return {
    code: 'failed_on_chain',
    kind: 'error',
    words: 'failedOnChain',
    said: detail ?? '',
    way: 'again',
  };
}

export function notCounted(detail: string | null): Failure {
  return {
    code: 'payment_not_counted',
    kind: 'error',
    words: 'notCounted',
    said: detail ?? '',
    way: 'again',
  };
}

export function priceChanged(nowRaw: string): Failure {
  return {
    code: 'price_changed',
    kind: 'warning',
    words: 'priceChanged',
    amounts: { now: decimalOf(nowRaw, 6) },
    way: 'again',
  };
}

/**
 * A request that the wallet did not sign, as a failure. `rejected` is the failure for a "no" of its
 * owner. `maySend` means that the wallet sends the payment itself, so it may have sent it whatever
 * it reports.
 */
export function walletFailure(error: unknown, o: { rejected: Failure; maySend: boolean }): Failure {
  if (error instanceof WalletSilent)
    return {
      code: 'wallet_silent',
      kind: 'warning',
      words: error.reason === 'stopped' ? 'stopped' : 'timedOut',
      values: { sends: o.maySend ? 'yes' : 'no' },
      way: 'again',
      mayBePaid: o.maySend,
    };
  if (error instanceof AnotherAccount) return SWITCHED;
  if (isRejection(error)) return o.rejected;
  return {
    code: 'wallet_failed',
    kind: 'error',
    words: o.maySend ? 'notConfirmed' : 'notSigned',
    said: error instanceof Error ? error.message : '',
    way: 'again',
    mayBePaid: o.maySend,
  };
}

type Words = Failure['words'];
/** Texts for errors of the service before a payment was sent. */
const REFUSED: Readonly<Record<string, { words: Words } & Partial<Pick<Failure, 'kind' | 'way'>>>> =
  {
    unreachable: { words: 'unreachable' },
    chain_unavailable: { words: 'chain' },
    payment_undecided: { words: 'undecided', kind: 'warning' },
    payments_unavailable: { words: 'closed' },
    not_a_participant: { words: 'notAParty', way: 'other_wallet' },
    wallet_proof_invalid: { words: 'otherAccount', way: 'other_wallet' },
    payment_not_sent: { words: 'notAccepted' },
    quote_unknown: { words: 'quoteExpired', kind: 'warning' },
  };

/** An error answer of the service before a payment was sent. */
export function refused(failure: ApiFailure): Failure {
  // The service may have done it. No page sends a payment with such a call.
  if (failure.code === 'unreachable' && failure.status === NO_ANSWER_IN_TIME)
    return { code: 'no_answer', kind: 'error', words: 'noAnswer', said: failure, way: 'again' };
  const { words = 'notCreated', kind = 'error', way = 'again' } = REFUSED[failure.code] ?? {};
  return { code: failure.code, kind, way, words, said: failure };
}

/**
 * An error answer after a payment was sent. Money may have moved, and we never ask for it twice.
 */
export function refusedAfterPayment(failure: ApiFailure): Failure {
  return { code: failure.code, kind: 'error', words: 'afterPayment', said: failure, way: 'resume' };
}
