import type { Network } from '../network';
import type { Leg, LegPrice, Movements } from './movements';
import { createScale, passExchange, PriceNeeded, type Scale } from './weigh-legs';
import { pickTransfer, type Case } from './pick-transfer';
import { refuse, type TransactionReading, type TransferReading } from './transfer';

/**
 * Decides which payment the movements of a transaction are, or why they are none. Pure: the same
 * movements and prices always give the same answer. If the choice depends on prices that are not
 * given, the answer names the mints.
 */
export function judgeMovements(
  movements: Movements,
  o: { network: Network; prices: readonly LegPrice[] },
): TransactionReading {
  try {
    return judge(movements, createScale({ ...o, tableOf: movements.tableOf }));
  } catch (error) {
    if (!(error instanceof PriceNeeded)) throw error;
    const { needs } = error;
    const detail = `which leg is the payment depends on the price of ${needs.map((mint) => mint ?? 'SOL').join(', ')}`;
    return { ok: false, code: 'price_needed', detail, needs, movements, finality: 'confirmed' };
  }
}

function judge(movements: Movements, scale: Scale): TransferReading {
  const no = (code: Parameters<typeof refuse>[0], detail: string) =>
    refuse(code, detail, movements);
  const stranger = movements.legs.find(({ kind }) => kind === 'unknown');
  if (stranger)
    return no(
      'owner_unknown',
      `the owner of an account of ${nameOf(stranger)} is not in the transaction`,
    );
  const passed = passExchange(movements, scale);
  if (typeof passed === 'string') return no('not_a_payment', passed);
  const { legs, isExchanged } = passed;
  const valued = legs.filter((leg) => scale.isValued(leg));
  const given = (valued.length > 0 ? valued : legs).filter(isGiven);
  const payers = new Set(given.map(({ owner }) => owner));
  const traders = tradersAmong({ movements, legs, scale });
  const [payer] = payers;
  if (payer === undefined)
    return no('not_a_payment', 'no tokens and no SOL move from one owner to another');
  const onlyPayer = payers.size === 1 ? payer : null;
  for (const trader of traders)
    if (trader !== onlyPayer || !isChange({ legs: valued, payer: trader, isExchanged, scale }))
      return no('not_a_payment', `${trader} gave one thing and received another: a swap`);
  if (onlyPayer === null)
    return no('several_payers', `${payers.size} owners paid in this transaction`);
  const isProgram = given.some(({ kind }) => kind === 'program');
  const stranded = legs.find((leg) => isStrayGift(leg, { payer, legs, scale }));
  if (stranded && valued.length > 0 && !isProgram)
    return no('several_payers', `${stranded.owner} gave ${nameOf(stranded)} beside the payer`);
  const facts: Case = { movements, scale, payer, legs, isExchanged };
  return pickTransfer(facts);
}

/**
 * Owners that gave a valued token and got a valued token back. For a program account any two tokens
 * count, because its payment is its side of a trade, unless it buys an NFT. Minted tokens count as
 * got, and burned ones as given.
 */
function tradersAmong(o: { movements: Movements; legs: readonly Leg[]; scale: Scale }): string[] {
  const { movements, legs, scale } = o;
  // Where nothing has a valuation, one thing for another is a swap as well.
  const isAnyValued = legs.some((leg) => scale.isValued(leg));
  const counts = (leg: Pick<Leg, 'mint'>) => !isAnyValued || scale.isValued(leg);
  const owners = new Set(legs.map(({ owner }) => owner));
  return [...owners].filter((owner) => {
    const own = legs.filter((leg) => leg.owner === owner);
    const gave =
      own.some((leg) => isGiven(leg) && counts(leg)) ||
      movements.leftOut.some((one) => one.reason === 'burned' && one.from === owner && counts(one));
    const got =
      own.some((leg) => !isGiven(leg) && counts(leg)) ||
      movements.leftOut.some((one) => one.reason === 'minted' && one.to === owner && counts(one));
    if (gave && got) return true;
    const isProgram = own.some(({ kind }) => kind === 'program');
    const isTrade = own.some(isGiven) && own.some((leg) => !isGiven(leg));
    return isProgram && isTrade && !isPurchase(own, scale);
  });
}

/**
 * A vault that pays and gets an NFT buys it, like a wallet. A token that is not unique is no such
 * goods: a pool that takes it for SOL trades.
 */
function isPurchase(own: readonly Leg[], scale: Scale): boolean {
  return own.every((leg) => (isGiven(leg) ? scale.isValued(leg) : leg.isNft));
}

/** An exchange returned less than 20 % of the amount that the payer gave. */
function isChange(o: {
  legs: readonly Leg[];
  payer: string;
  isExchanged: boolean;
  scale: Scale;
}): boolean {
  if (!o.isExchanged) return false;
  const own = o.legs.filter(({ owner }) => owner === o.payer);
  const [given, got] = [own.filter(isGiven), own.filter((leg) => !isGiven(leg))];
  return !o.scale.isAtLeast(got, 20n, given);
}

/**
 * A token without valuation that somebody else gave, and that did not go only to the payer. The
 * goods of an escrow go to the owner of its money, so they are no stranger's there.
 */
function isStrayGift(leg: Leg, o: { payer: string; legs: readonly Leg[]; scale: Scale }): boolean {
  if (!isGiven(leg) || leg.owner === o.payer || o.scale.isValued(leg)) return false;
  return o.legs.some(
    ({ mint, direction, owner }) => mint === leg.mint && direction === 'got' && owner !== o.payer,
  );
}

function isGiven({ direction }: Leg): boolean {
  return direction === 'given';
}

function nameOf({ mint }: Leg): string {
  return mint ?? 'SOL';
}
