import type { Messages } from '@/i18n/messages';
import { failureOf, type ApiFailure } from '../api-client';
import { isLostCode } from '../ui/use-code';
import { chainOf, type Signer } from '../wallet/signer';

/**
 * A failed order. The text of `order.failure` says what happened, whether money moved, and what to
 * do next.
 */
export type Failure = {
  /** Stable, for tests and for support. */
  code: string;
  kind: 'warning' | 'error';
  words: keyof Messages['order']['failure'];
  /** Values of the text. */
  values?: Readonly<Record<string, string>>;
  /** Values of the text that are amounts: plain decimals. */
  amounts?: Readonly<Record<string, string>>;
  /** The answer of the service, the wallet or the chain, where the text quotes it. */
  said?: ApiFailure | string;
  way: 'again' | 'other_wallet' | 'resume' | 'start_over';
  /** The wallet may have sent the payment, or may still send it. */
  mayBePaid?: boolean;
};

/** Thrown by a step that cannot continue. Carries the failure. */
export class OrderFailed extends Error {
  constructor(readonly failure: Failure) {
    super(failure.code);
    this.name = 'OrderFailed';
  }
}

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

/** An error that no step foresaw. */
export function unforeseen(error: unknown): Failure {
  return {
    code: 'unforeseen',
    kind: 'error',
    words: 'unforeseen',
    said: isLostCode(error)
      ? failureOf(error)
      : error instanceof Error
        ? sentence(error.message)
        : '',
    way: 'again',
  };
}

/** A text of other code with a full stop, because a sentence follows it. */
function sentence(text: string): string {
  return text === '' || /[.!?。]$/.test(text) ? text : `${text}.`;
}
