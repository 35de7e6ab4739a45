import type { ApiFailure } from '../api-client';
import { decimalOf } from '../ui/amount';
import { isRejection } from '../wallet/signer';
import { WalletSilent } from '../wallet/wallet-wait';

/** An error in words: what happened, whether money moved, and what to do next. */
export type Failure = {
  /** Stable, for tests and for us. */
  code: string;
  kind: 'warning' | 'error';
  title: string;
  text: string;
  way: 'again' | 'other_wallet' | 'resume' | 'start_over';
};

/** Thrown by a step that cannot continue. Carries the words for it. */
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
  title: 'You rejected the request in your wallet',
  text: `We need your signature to confirm the wallet is yours. ${NO_MONEY} You can try again at any time.`,
  way: 'again',
};

export const REJECTED_PAYMENT: Failure = {
  code: 'rejected_payment',
  kind: 'warning',
  title: 'You rejected the payment in your wallet',
  text: `${NO_MONEY} The price is valid for half an hour. You can try again at any time.`,
  way: 'again',
};

export const CANNOT_SIGN: Failure = {
  code: 'cannot_sign',
  kind: 'error',
  title: 'This wallet cannot sign a message',
  text: `A free receipt needs a signature that proves the wallet is yours. This wallet app cannot give one. ${NO_MONEY} Use another wallet app with the same account.`,
  way: 'other_wallet',
};

export const CANNOT_PAY: Failure = {
  code: 'cannot_pay',
  kind: 'error',
  title: 'This wallet cannot pay from a page',
  text: `It can neither sign a transaction nor send one. ${NO_MONEY} Use another wallet app with the same account.`,
  way: 'other_wallet',
};

export const EXPIRED: Failure = {
  code: 'expired',
  kind: 'warning',
  title: 'The payment did not reach Solana in time',
  text: `A signed payment is valid for about a minute. This one was not confirmed in time and can no longer be. ${NO_MONEY} Sign a new payment.`,
  way: 'again',
};

export const NOT_SENT: Failure = {
  code: 'not_sent',
  kind: 'warning',
  title: 'Your receipt is not finished',
  text: `The page was closed before the payment was sent. ${NO_MONEY} Your entries are still here. Connect your wallet to continue.`,
  way: 'again',
};

export function wrongNetwork(wallet: string, network: string): Failure {
  return {
    code: 'wrong_network',
    kind: 'error',
    title: 'Your wallet is on another network',
    text: `${wallet} does not support the network of this service (${network}). ${NO_MONEY} Change the network in the wallet, or use another wallet.`,
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
    title: 'The payment failed on Solana',
    text: `The network rejected it${detail ? `: ${detail}` : ''}. The USDC stayed in your wallet. You paid at most the network fee, a fraction of a cent. Try again.`,
    way: 'again',
  };
}

export function notCounted(detail: string | null): Failure {
  return {
    code: 'payment_not_counted',
    kind: 'error',
    title: 'A payment arrived that does not match',
    text: `${detail ?? 'It is not a payment for this order.'} It is not lost and still belongs to its payer. If it was yours, do not pay again. Send its signature to the operator.`,
    way: 'again',
  };
}

export function priceChanged(nowRaw: string): Failure {
  return {
    code: 'price_changed',
    kind: 'warning',
    title: 'The fee has changed',
    text: `It is ${decimalOf(nowRaw, 6)} USDC now. ${NO_MONEY} Check the new price on the button, and continue if you agree.`,
    way: 'again',
  };
}

/**
 * A request that the wallet did not sign, as a failure. `rejected` is the failure for a "no" of its owner;
 * `maySend` says that the wallet sends the payment, so it may have sent it whatever it says.
 */
export function walletFailure(error: unknown, o: { rejected: Failure; maySend: boolean }): Failure {
  if (error instanceof WalletSilent) return silent(error, o.maySend);
  return isRejection(error) ? o.rejected : walletFailed(error, o.maySend);
}

function silent(error: WalletSilent, maySend: boolean): Failure {
  const next = maySend
    ? 'Your wallet may still send the payment if you approve it there. We will find it and not charge you twice.'
    : `${NO_MONEY} If you approve it in the wallet later, nothing happens.`;
  return {
    code: 'wallet_silent',
    kind: 'warning',
    title:
      error.reason === 'stopped'
        ? 'You stopped waiting for the wallet'
        : 'The wallet did not answer',
    text: `${next} Open the wallet, close its open request, and try again.`,
    way: 'again',
  };
}

function walletFailed(error: unknown, maySend: boolean): Failure {
  const said = error instanceof Error && error.message ? ` It says: “${error.message}”.` : '';
  const money = maySend
    ? 'The wallet may have sent the payment. We will find it and not charge you twice.'
    : NO_MONEY;
  return {
    code: 'wallet_failed',
    kind: 'error',
    title: maySend ? 'The wallet did not confirm the payment' : 'The wallet did not sign',
    text: `${money}${said} Unlock the wallet, check that it is on the right network, and try again.`,
    way: 'again',
  };
}

/** An error answer of the service before a payment was sent. */
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
        text: `Our Solana nodes do not answer at the moment. ${NO_MONEY} Your entries stay here. Try again in a few minutes.`,
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
        text: `Only the payer or the seller can request the receipt. ${NO_MONEY} Connect one of their wallets.`,
        way: 'other_wallet',
      };
    case 'wallet_proof_invalid':
      return {
        ...base,
        title: 'The signature is from another account',
        text: `The wallet signed with a different account than the connected one. ${NO_MONEY} Choose the account in the wallet and connect again.`,
        way: 'other_wallet',
      };
    case 'payment_not_sent':
      return {
        ...base,
        title: 'Solana did not accept the payment',
        text: `${failure.message} Try again.`,
      };
    case 'quote_unknown':
      return {
        ...base,
        kind: 'warning',
        title: 'The price has expired',
        text: `A price is valid for half an hour. ${NO_MONEY} Try again to get a new one.`,
      };
    default:
      return {
        ...base,
        title: 'The receipt was not created',
        text: `${failure.message} ${NO_MONEY}`,
      };
  }
}

/** An error answer after a payment was sent. Money may have moved, and we never ask for it twice. */
export function refusedAfterPayment(failure: ApiFailure): Failure {
  return {
    code: failure.code,
    kind: 'error',
    title: 'Your payment arrived, but the receipt is not ready',
    text: `${failure.message} Your payment is on record and is not lost. For 90 days the same wallet can use it for one receipt of at most this price.`,
    way: 'resume',
  };
}
