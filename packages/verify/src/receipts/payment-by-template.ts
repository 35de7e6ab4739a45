import { judgeMovements } from '../chain/judge-movements';
import type { Leg, Movements } from '../chain/movements';
import { assetOf, WRAPPED_SOL } from '../chain/programs';
import { refuse, withFinality, type TransactionReading, type Transfer } from '../chain/transfer';
import type { ReceiptMetadata } from './describe-parse';
import type { IssuerDocument } from './issuer-document';

/**
 * The payment in the terms of the receipt's template. From the second template on, by the prices
 * that the receipt names. The first knew one token only and no rent that grows an account, so it
 * uses the legs in the token of the receipt.
 */
export function paymentByTemplate(o: {
  payment: TransactionReading;
  network: IssuerDocument['network'];
  metadata: ReceiptMetadata | null;
}): TransactionReading {
  const { payment, metadata } = o;
  const { movements } = payment;
  const hasFailed = !payment.ok && payment.code === 'transaction_failed';
  if (!metadata || !movements || hasFailed) return payment;
  if (metadata.template !== undefined) {
    if (payment.ok && payment.transfer.prices.length === 0) return payment;
    const prices = metadata.service.prices ?? [];
    const judged = judgeMovements(movements, { network: o.network, prices });
    return withFinality(judged, payment.ok ? payment.transfer.finality : 'confirmed');
  }
  const { chain } = metadata;
  const isSame =
    payment.ok &&
    payment.transfer.mint === chain.mint &&
    payment.transfer.otherLegs.every((leg) => leg.mint === chain.mint);
  return isSame ? payment : (byFirstTemplate(movements, chain.mint) ?? payment);
}

/** One giver in the token, the largest receiver as the seller, and the others as further payees. */
function byFirstTemplate(movements: Movements, mint: string | null): TransactionReading | null {
  const asset = assetOf(mint);
  const legs = [
    ...movements.legs.filter((leg) => assetOf(leg.mint) === asset),
    ...(asset === null ? fundedAccounts(movements) : []),
  ];
  const givers = new Set(legs.filter(({ direction }) => direction === 'given').map(ownerOf));
  const got = legs.filter(({ direction, owner }) => direction === 'got' && !givers.has(owner));
  const [seller, ...others] = got.sort((a, b) => (a.amount > b.amount ? -1 : 1));
  const [payer] = givers;
  if (!seller || payer === undefined || givers.size > 1) return null;
  const given = legs
    .filter(({ owner, direction }) => owner === payer && direction === 'given')
    .reduce((sum, { amount }) => sum + amount, 0n);
  const amountSent = others.length === 0 ? given : seller.amountSent;
  const transfer: Transfer = {
    signature: movements.signature,
    slot: movements.slot,
    blockTime: movements.blockTime,
    finality: 'confirmed',
    payer,
    payerKind: 'wallet',
    seller: seller.owner,
    sellerKind: seller.kind,
    mint: seller.mint,
    tokenProgram: seller.tokenProgram,
    decimals: seller.decimals,
    amount: seller.amount,
    amountSent,
    feeWithheld: amountSent - seller.amount,
    otherLegs: others,
    goods: [],
    change: [],
    paidWith: [],
    leftOut: movements.leftOut,
    prices: [],
    feePayer: movements.feePayer,
    memos: movements.memos,
    references: seller.references,
  };
  if (mint === WRAPPED_SOL && seller.mint !== WRAPPED_SOL)
    return refuse('not_a_payment', 'it is not wrapped SOL that was paid', movements);
  return { ok: true, transfer, movements };
}

/**
 * The movements that the first reader took for payments: SOL into program accounts, also for their
 * rent.
 */
function fundedAccounts({ leftOut }: Movements): Leg[] {
  return leftOut.flatMap(({ reason, from, to, amount, decimals }): Leg[] => {
    if (reason !== 'account_funding' && reason !== 'rent_grown') return [];
    if (from === null || to === null) return [];
    const leg = {
      mint: null,
      tokenProgram: null,
      decimals,
      amount,
      amountSent: amount,
      isShown: true,
      isNft: false,
      references: [],
    };
    return [
      { ...leg, owner: from, kind: 'wallet', direction: 'given' },
      { ...leg, owner: to, kind: 'program', direction: 'got' },
    ];
  });
}

function ownerOf({ owner }: Leg): string {
  return owner;
}
