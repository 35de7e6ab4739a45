import type { ApiFailure } from '../api-client';
import { decimalOf } from '../ui/amount';

/** What went wrong: what happened, whether money moved, and the way on. */
export type Failure = {
  /** Stable, for tests and for us. */
  code: string;
  kind: 'warning' | 'error';
  title: string;
  text: string;
  way: 'again' | 'other_wallet' | 'resume' | 'start_over';
};

/** Thrown by a step that cannot go on; carries the words for it. */
export class OrderFailed extends Error {
  constructor(readonly failure: Failure) {
    super(failure.title);
    this.name = 'OrderFailed';
  }
}

const NO_MONEY = 'No money moved.';

export const REJECTED_PROOF: Failure = {
  code: 'rejected_proof',
  kind: 'warning',
  title: 'You turned the request down in your wallet',
  text: `Without your signature nobody knows that the wallet is yours. ${NO_MONEY} You can try again at any time.`,
  way: 'again',
};

export const REJECTED_PAYMENT: Failure = {
  code: 'rejected_payment',
  kind: 'warning',
  title: 'You turned the payment down in your wallet',
  text: `${NO_MONEY} The offer stays open for a while: try again when you like.`,
  way: 'again',
};

export const CANNOT_SIGN: Failure = {
  code: 'cannot_sign',
  kind: 'error',
  title: 'This wallet cannot sign a text',
  text: `A free receipt needs a signature that proves the wallet, and this wallet offers none. ${NO_MONEY} Use another wallet app with the same account.`,
  way: 'other_wallet',
};

export const CANNOT_PAY: Failure = {
  code: 'cannot_pay',
  kind: 'error',
  title: 'This wallet cannot pay from a page',
  text: `It offers neither to sign a transaction nor to send one. ${NO_MONEY} Use another wallet app with the same account.`,
  way: 'other_wallet',
};

export const EXPIRED: Failure = {
  code: 'expired',
  kind: 'warning',
  title: 'The payment did not reach the chain in time',
  text: `A signed payment is good for about a minute, and this one was not taken in that time. It can no longer be. ${NO_MONEY} Sign a new one.`,
  way: 'again',
};

export const NOT_SENT: Failure = {
  code: 'not_sent',
  kind: 'warning',
  title: 'Your receipt is not finished',
  text: `The page was closed before the payment was sent. ${NO_MONEY} What you entered is still here: connect your wallet and go on.`,
  way: 'again',
};

export function wrongNetwork(wallet: string, network: string): Failure {
  return {
    code: 'wrong_network',
    kind: 'error',
    title: 'Your wallet is on another network',
    text: `${wallet} does not offer the network of this service (${network}). ${NO_MONEY} Change the network in the wallet, or use another one.`,
    way: 'other_wallet',
  };
}

export function notEnoughUsdc(o: { haveRaw: string; needRaw: string }): Failure {
  return {
    code: 'not_enough_usdc',
    kind: 'error',
    title: 'Not enough USDC',
    text: `The fee is ${decimalOf(o.needRaw, 6)} USDC and this wallet holds ${decimalOf(o.haveRaw, 6)} USDC. ${NO_MONEY} Add USDC and try again, or pay with the other party's wallet.`,
    way: 'again',
  };
}

export function notEnoughSol(o: { haveLamports: string; needLamports: string }): Failure {
  return {
    code: 'not_enough_sol',
    kind: 'error',
    title: 'Not enough SOL for the network fee',
    text: `The network takes a fraction of a cent in SOL. This wallet holds ${decimalOf(o.haveLamports, 9)} SOL and needs about ${decimalOf(o.needLamports, 9, 4)} SOL. ${NO_MONEY} Add some SOL and try again.`,
    way: 'again',
  };
}

export function failedOnChain(detail: string | null): Failure {
  return {
    code: 'failed_on_chain',
    kind: 'error',
    title: 'The payment failed on chain',
    text: `The network refused it${detail ? `: ${detail}` : ''}. The USDC stayed in your wallet; at most the network fee, a fraction of a cent, was taken. Try again.`,
    way: 'again',
  };
}

export function notCounted(detail: string | null): Failure {
  return {
    code: 'payment_not_counted',
    kind: 'error',
    title: 'A payment arrived and does not count',
    text: `${detail ?? 'It does not buy this.'} It is not lost: it stays its payer’s. If it was yours, do not pay again: tell the operator its signature.`,
    way: 'again',
  };
}

export function priceChanged(nowRaw: string): Failure {
  return {
    code: 'price_changed',
    kind: 'warning',
    title: 'The fee has changed',
    text: `It is ${decimalOf(nowRaw, 6)} USDC now. ${NO_MONEY} Look at the new price on the button and go on if you agree.`,
    way: 'again',
  };
}

/** What the wallet said when it failed for another reason than a no. */
export function walletFailed(error: unknown): Failure {
  const said = error instanceof Error && error.message ? ` It says: “${error.message}”.` : '';
  return {
    code: 'wallet_failed',
    kind: 'error',
    title: 'The wallet did not sign',
    text: `${NO_MONEY}${said} Unlock the wallet, look that it is on the right network, and try again.`,
    way: 'again',
  };
}

/** A refusal of the service, before any payment was sent. */
export function refused(failure: ApiFailure): Failure {
  const base = { code: failure.code, kind: 'error', way: 'again' } as const;
  switch (failure.code) {
    case 'unreachable':
      return {
        ...base,
        title: 'The service does not answer',
        text: `${NO_MONEY} Check your connection and try again.`,
      };
    case 'chain_unavailable':
      return {
        ...base,
        title: 'The Solana network cannot be reached',
        text: `The nodes that we ask do not answer at the moment. ${NO_MONEY} Try again in a little while; what you entered stays here.`,
      };
    case 'payment_undecided':
      return {
        ...base,
        kind: 'warning',
        title: 'Do not pay yet',
        text: failure.message,
      };
    case 'payments_unavailable':
      return {
        ...base,
        title: 'Fees cannot be paid at the moment',
        text: `${failure.message} ${NO_MONEY} Try again later.`,
      };
    case 'not_a_participant':
      return {
        ...base,
        title: 'This wallet is not part of the payment',
        text: `Only the wallet that paid or the one that was paid can ask for the receipt. ${NO_MONEY} Connect one of the two.`,
        way: 'other_wallet',
      };
    case 'wallet_proof_invalid':
      return {
        ...base,
        title: 'The signature does not fit the wallet',
        text: `The wallet signed with another account than the one that is connected. ${NO_MONEY} Choose the account in the wallet and connect again.`,
        way: 'other_wallet',
      };
    case 'payment_not_sent':
      return {
        ...base,
        title: 'The network did not take the payment',
        text: `${failure.message} Try again.`,
      };
    case 'quote_unknown':
      return {
        ...base,
        kind: 'warning',
        title: 'The offer has ended',
        text: `An offer is open for half an hour. ${NO_MONEY} Ask for a new one.`,
      };
    default:
      return {
        ...base,
        title: 'The receipt was not created',
        text: `${failure.message} ${NO_MONEY}`,
      };
  }
}

/** A refusal after a payment was sent: the money may have moved, and is never asked for again. */
export function refusedAfterPayment(failure: ApiFailure): Failure {
  return {
    code: failure.code,
    kind: 'error',
    title: 'Your payment is there, the receipt is not',
    text: `${failure.message} Your payment is on record and is not lost: for 90 days it buys one receipt of at most its price, by the same wallet.`,
    way: 'resume',
  };
}
