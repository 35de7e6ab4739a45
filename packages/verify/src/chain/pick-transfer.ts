import type { Leg, Movements } from './movements';
import { assetOf, TOKEN_2022 } from './programs';
import { refuse, type Goods, type Refusal, type TransferReading } from './transfer';
import type { Scale } from './weigh-legs';

/** A transaction with one payer; the legs are without those of exchanges. */
export type Case = {
  movements: Movements;
  scale: Scale;
  payer: string;
  legs: readonly Leg[];
  isExchanged: boolean;
};

/** The largest leg is the transfer if it is worth this share of all that was paid. */
const SHARE_PERCENT = 80n;

/** Picks the leg that is the transfer, and checks that instructions show it to be a payment. */
export function pickTransfer(facts: Case): TransferReading {
  const { movements, scale, payer, legs, isExchanged } = facts;
  const goods = goodsOf(facts);
  const got = legs.filter(
    ({ direction, owner, mint }) =>
      direction === 'got' && owner !== payer && !goods.some((one) => one.mint === mint),
  );
  const valued = got.filter((leg) => scale.isValued(leg));
  const swap = doubtGoods({ facts, goods, paid: valued });
  if (swap !== null) return refuse('not_a_payment', swap, movements);
  const picked = valued.length > 0 ? pickValued(facts, valued, got) : pickOnly(facts, got);
  if ('code' in picked) return picked;
  const { seller } = picked;
  const doubt = doubtToken(facts, seller);
  if (doubt !== null) return refuse('not_a_payment', doubt, movements);
  const payerLegs = legs.filter(({ owner }) => owner === payer);
  const given = payerLegs.filter(({ direction }) => direction === 'given');
  const source = given.find(({ mint }) => assetOf(mint) === assetOf(seller.mint)) ?? given[0];
  if (!source || !isExplained({ source, seller, movements }))
    return movements.hasInner
      ? refuse(
          'not_a_payment',
          `${seller.mint ?? 'SOL'} changed owners without a transfer`,
          movements,
        )
      : refuse(
          'unreadable_transaction',
          'the node kept no record of inner instructions',
          movements,
        );
  return {
    ok: true,
    movements,
    transfer: {
      signature: movements.signature,
      slot: movements.slot,
      blockIndex: movements.blockIndex,
      blockTime: movements.blockTime,
      finality: 'confirmed',
      payer,
      payerKind: source.kind,
      seller: seller.owner,
      sellerKind: seller.kind,
      mint: seller.mint,
      tokenProgram: seller.tokenProgram,
      decimals: seller.decimals,
      amount: seller.amount,
      amountSent: seller.amountSent,
      feeWithheld: seller.amountSent - seller.amount,
      otherLegs: got.filter((leg) => leg !== seller),
      goods,
      change: payerLegs.filter((leg) => leg.direction === 'got' && scale.isValued(leg)),
      paidWith: isExchanged ? given : [],
      leftOut: movements.leftOut,
      prices: scale.used(),
      feePayer: movements.feePayer,
      memos: movements.memos,
      references: seller.references,
    },
  };
}

/** The largest of the valued legs; one without valuation never decides, and must go to the same owner. */
function pickValued(
  { movements, scale }: Case,
  valued: readonly Leg[],
  got: readonly Leg[],
): { seller: Leg } | Refusal {
  const no = (code: 'several_sellers' | 'several_tokens', detail: string) =>
    refuse(code, detail, movements);
  const seller = scale.largest(valued);
  if (!seller) return refuse('not_a_payment', 'nobody received anything', movements);
  const isOneOwner = got.every(({ owner }) => owner === seller.owner);
  if (valued.length > 1 && !scale.isAtLeast([seller], SHARE_PERCENT, valued))
    return isOneOwner
      ? no(
          'several_tokens',
          `${seller.owner} was paid in ${valued.length} tokens, none of them 80 % of the value`,
        )
      : no(
          'several_sellers',
          `${valued.length} legs were paid and none of them is 80 % of the value`,
        );
  const other = got.find((leg) => !scale.isValued(leg) && leg.owner !== seller.owner);
  if (other)
    return no(
      'several_sellers',
      `${other.owner} was paid as well, in ${other.mint ?? 'SOL'}, which has no valuation`,
    );
  return { seller };
}

/** Of legs without valuation there must be only one. */
function pickOnly({ movements }: Case, got: readonly Leg[]): { seller: Leg } | Refusal {
  const [seller, second] = got;
  if (!seller) return refuse('not_a_payment', 'nobody received anything', movements);
  if (second)
    return got.every(({ owner }) => owner === seller.owner)
      ? refuse(
          'several_tokens',
          `${seller.owner} was paid in ${got.length} tokens without valuation`,
          movements,
        )
      : refuse(
          'several_sellers',
          `${got.length} legs were paid in tokens without valuation`,
          movements,
        );
  if (seller.isNft) return refuse('not_a_payment', `${seller.mint ?? ''} is an NFT`, movements);
  return { seller };
}

/**
 * Tokens without a valuation that came back: to the payer, newly minted ones included. If the payer
 * is an escrow, which holds the money of somebody else, tokens from others to anybody count too.
 */
function goodsOf({ movements, scale, payer, legs }: Case): Goods[] {
  const goods = new Map<string, Goods>();
  const add = (one: { mint: string | null; decimals: number; amount: bigint }): void => {
    if (one.mint === null || scale.isValued(one)) return;
    const { mint, decimals } = one;
    goods.set(mint, { mint, decimals, amount: (goods.get(mint)?.amount ?? 0n) + one.amount });
  };
  const isEscrow = legs.some(({ owner, kind }) => owner === payer && kind === 'program');
  const isPaid = legs.some((leg) => leg.owner === payer && scale.isValued(leg));
  const givenByPayer = new Set(
    legs.filter((leg) => leg.owner === payer && leg.direction === 'given').map(({ mint }) => mint),
  );
  for (const leg of legs)
    if (leg.direction === 'got' && !givenByPayer.has(leg.mint))
      if (leg.owner === payer || (isEscrow && isPaid)) add(leg);
  for (const one of movements.leftOut) if (one.reason === 'minted' && one.to === payer) add(one);
  return [...goods.values()];
}

/** Goods for a payment to a program account, or that are minted during one, make it a swap. */
function doubtGoods(o: {
  facts: Case;
  goods: readonly Goods[];
  paid: readonly Leg[];
}): string | null {
  if (o.goods.length === 0) return null;
  if (o.facts.scale.largest(o.paid)?.kind === 'program')
    return 'the payer received something in return from a program account: a swap';
  const { leftOut } = o.facts.movements;
  const isMinted = leftOut.some(({ reason, to }) => reason === 'minted' && to === o.facts.payer);
  return isMinted && o.paid.some(({ kind }) => kind === 'program')
    ? 'something was minted to the payer while a program account was paid: a swap'
    : null;
}

/** Transfers must show it. Only a program's own SOL can move without an instruction. */
function isExplained(o: { source: Leg; seller: Leg; movements: Movements }): boolean {
  const { source, seller, movements } = o;
  if (source.isShown && seller.isShown) return true;
  return movements.hasInner && source.kind === 'program' && assetOf(seller.mint) === null;
}

/** Given and received amounts must match, and no unit may come from or go to nowhere. */
function doubtToken({ movements, payer, legs, isExchanged }: Case, seller: Leg): string | null {
  // Balances do not show NFTs of such a program. From a paid wallet they would count as goods.
  if (movements.hasHiddenAssets && seller.kind === 'program')
    return 'an NFT program takes part, and a program account was paid: it may be a swap';
  const asset = assetOf(seller.mint);
  if (asset === null) return null;
  const parties = [payer, seller.owner];
  const isIssued = movements.leftOut.some(
    ({ reason, mint, from, to }) =>
      (reason === 'minted' || reason === 'burned') &&
      mint === asset &&
      parties.some((party) => party === from || party === to),
  );
  if (isIssued) return `${asset} was minted or burned`;
  if (isExchanged) return null;
  const own = legs.filter(({ mint }) => mint === asset);
  const missing = own.reduce(
    (sum, leg) => sum + (leg.direction === 'given' ? leg.amount : -leg.amount),
    0n,
  );
  return missing < 0n || (missing > 0n && seller.tokenProgram !== TOKEN_2022)
    ? `the amounts given and received of ${asset} do not match`
    : null;
}
