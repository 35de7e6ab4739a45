import type { Messages } from '@/i18n/messages';
import type { ApiFailure } from '../api-client';
import { decimalOf } from '../ui/amount';
import { chainOf, isRejection, type Signer } from '../wallet/signer';
import { WalletSilent } from '../wallet/wallet-wait';

/** A failed order: the text of `order.failure` that says what happened, whether money moved, and what to do next. */
export type Failure = {
  /** Stable, for tests and for us. */
  code: string;
  kind: 'warning' | 'error';
  words: keyof Messages['order']['failure'];
  /** Values of the text. */
  values?: Readonly<Record<string, string>>;
  /** Values of the text that are amounts: plain decimals. */
  amounts?: Readonly<Record<string, string>>;
  /** What the service answered, or what a wallet or the chain said, where the text quotes it. */
  said?: ApiFailure | string;
  way: 'again' | 'other_wallet' | 'resume' | 'start_over';
};

/** Thrown by a step that cannot continue. Carries the failure. */
export class OrderFailed extends Error {
  constructor(readonly failure: Failure) {
    super(failure.code);
    this.name = 'OrderFailed';
  }
}

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

/** Fails an order whose wallet says that it is for other networks. Nothing was signed. */
export function requireNetwork(signer: Signer, network: 'local' | 'devnet' | 'mainnet'): void {
  if (!signer.chains || signer.chains.includes(chainOf(network))) return;
  throw new OrderFailed({
    code: 'wrong_network',
    kind: 'error',
    words: 'wrongNetwork',
    values: { wallet: signer.name, network },
    way: 'other_wallet',
  });
}

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
 * A request that the wallet did not sign, as a failure. `rejected` is the failure for a "no" of its owner;
 * `maySend` says that the wallet sends the payment, so it may have sent it whatever it says.
 */
export function walletFailure(error: unknown, o: { rejected: Failure; maySend: boolean }): Failure {
  if (error instanceof WalletSilent)
    return {
      code: 'wallet_silent',
      kind: 'warning',
      words: error.reason === 'stopped' ? 'stopped' : 'timedOut',
      values: { sends: o.maySend ? 'yes' : 'no' },
      way: 'again',
    };
  if (isRejection(error)) return o.rejected;
  return {
    code: 'wallet_failed',
    kind: 'error',
    words: o.maySend ? 'notConfirmed' : 'notSigned',
    said: error instanceof Error ? error.message : '',
    way: 'again',
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
  const { words = 'notCreated', kind = 'error', way = 'again' } = REFUSED[failure.code] ?? {};
  return { code: failure.code, kind, way, words, said: failure };
}

/** An error answer after a payment was sent. Money may have moved, and we never ask for it twice. */
export function refusedAfterPayment(failure: ApiFailure): Failure {
  return { code: failure.code, kind: 'error', words: 'afterPayment', said: failure, way: 'resume' };
}

/** An error that no step foresaw. */
export function unforeseen(error: unknown): Failure {
  return {
    code: 'unforeseen',
    kind: 'error',
    words: 'unforeseen',
    said: error instanceof Error ? error.message : '',
    way: 'again',
  };
}
