import type { LegPrice } from '../chain/movements';
import type { Transfer, TransactionReading } from '../chain/transfer';
import { toDecimal, toDecimalText } from '../money';
import { basisOf, tokenByMint } from '../tokens/token-table';
import { notJudged, outcomeOf, type CheckLine } from './check-line';
import type { ReceiptMetadata } from './describe-parse';
import { type BesideLines, besideLines, LISTED_PAYEES, LISTED_PRICES } from './describe-beside';
import type { IssuerDocument } from './issuer-document';
import { paymentByTemplate } from './payment-by-template';
import { besideOf, legsOf, type ReceiptLeg } from './receipt-beside';

type Chain = ReceiptMetadata['chain'];
/** A fact of the metadata and of the transaction, in one spelling. */
type Fact = {
  id: string;
  title: string;
  said: (chain: Chain) => string;
  seen: (transfer: Transfer, chain: Chain) => string;
};

const FACTS: Fact[] = [
  {
    id: 'fact_transaction',
    title: 'The transaction is the one named',
    said: (chain) => chain.transaction,
    seen: (transfer) => transfer.signature,
  },
  {
    id: 'fact_payer',
    title: 'The payer is the wallet that paid',
    said: (chain) => chain.payer,
    seen: (transfer) => transfer.payer,
  },
  {
    id: 'fact_seller',
    title: 'The seller is the wallet that was paid',
    said: (chain) => chain.seller,
    seen: (transfer) => transfer.seller,
  },
  {
    id: 'fact_amount',
    title: 'The amount is what the seller received',
    said: (chain) => chain.amount.toString(),
    seen: (transfer) => transfer.amount.toString(),
  },
  {
    id: 'fact_token',
    title: 'The token is the one paid with',
    said: tokenOf,
    seen: tokenOf,
  },
  {
    id: 'fact_slot',
    title: 'The slot is that of the transaction',
    said: (chain) => chain.slot.toString(),
    seen: (transfer) => transfer.slot.toString(),
  },
  {
    id: 'fact_time',
    title: 'The time is that of the block',
    said: (chain) => chain.paidAt.toISOString(),
    seen: (transfer) => transfer.blockTime.toISOString(),
  },
  {
    id: 'fact_fee',
    title: 'The amounts sent and withheld match the chain',
    said: feesOf,
    seen: feesOf,
  },
  {
    id: 'fact_other_payees',
    title: 'The other payees are those of the transaction',
    said: (chain) => payeesOf(chain.otherPayees, chain.listedPayees),
    // The metadata lists the first of many and counts the rest.
    seen: (transfer) => {
      const legs = legsOf(transfer);
      return payeesOf(legs.length, legs.slice(0, LISTED_PAYEES));
    },
  },
  {
    id: 'fact_beside',
    title: 'The other movements of the transaction match the chain',
    said: (chain) => linesOf(chain.beside ?? []),
    seen: (transfer, chain) =>
      chain.beside ? linesOf(besideLines(besideOf(transfer))) : linesOf([]),
  },
];

/** Compares the facts that the metadata marks as read from the chain with the payment on chain. */
export function checkFacts(o: {
  payment: TransactionReading;
  network: IssuerDocument['network'];
  metadata: ReceiptMetadata | null;
}): CheckLine[] {
  const { metadata } = o;
  const payment = paymentByTemplate(o);
  return [
    {
      id: 'payment_read',
      title: 'The transaction is a payment',
      outcome: !payment.ok && isUntold(payment) ? 'unknown' : outcomeOf(payment.ok),
      detail: payment.ok
        ? `${toDecimal(payment.transfer.amount, payment.transfer.decimals)} from ${payment.transfer.payer} to ${payment.transfer.seller}`
        : `${payment.code}: ${payment.detail}`,
    },
    checkNetwork(o.network, metadata),
    checkChoice(payment, o),
    ...FACTS.map(({ id, title, said, seen }) => {
      if (!metadata) return notJudged(id, title, 'the metadata cannot be read');
      if (!payment.ok) return notJudged(id, title, 'the payment cannot be read');
      const [one, other] = [said(metadata.chain), seen(payment.transfer, metadata.chain)];
      const held = one === other;
      const detail = held ? one : `the metadata says ${one}, the chain ${other}`;
      // Without the calls it made, a transaction may look like another payment.
      return {
        id,
        title,
        outcome: held || !isUntold(payment) ? outcomeOf(held) : 'unknown',
        detail,
      };
    }),
  ];
}

/** Readings that say nothing against a receipt: the node does not know the transaction, or too little of it. */
const UNTOLD: ReadonlySet<string> = new Set([
  'transaction_not_found',
  'unreadable_transaction',
  'owner_unknown',
]);

/**
 * Whether a node returned too little of a transaction to read it: nothing, or not its inner calls.
 */
export function isUntold(payment: TransactionReading): boolean {
  // The transaction itself shows that it failed.
  if (!payment.ok && payment.code === 'transaction_failed') return false;
  if (payment.movements?.hasInner === false) return true;
  return !payment.ok && UNTOLD.has(payment.code);
}

function checkNetwork(
  network: IssuerDocument['network'],
  metadata: ReceiptMetadata | null,
): CheckLine {
  const id = 'fact_network';
  const title = 'The network is the one the issuer works on';
  if (!metadata) return notJudged(id, title, 'the metadata cannot be read');
  const said = metadata.chain.network;
  return { id, title, outcome: outcomeOf(said === network), detail: `the metadata says ${said}` };
}

/**
 * Among legs of several tokens the largest is the transfer. The choice depends on the prices that
 * the issuer names, and nothing on the chain proves them.
 */
function checkChoice(
  payment: TransactionReading,
  { metadata, network }: { metadata: ReceiptMetadata | null; network: IssuerDocument['network'] },
): CheckLine {
  const id = 'choice_explained';
  const title = 'The choice of the transfer follows from the chain and the prices that are named';
  if (!metadata) return notJudged(id, title, 'the metadata cannot be read');
  if (!payment.ok) return notJudged(id, title, 'the payment cannot be read');
  const { prices } = payment.transfer;
  const [said, needed] = [pricesSaid(metadata), mintsOf(prices.slice(0, LISTED_PRICES))];
  if (said.mints !== needed || said.count !== prices.length)
    return {
      id,
      title,
      outcome: isUntold(payment) ? 'unknown' : 'failed',
      detail: `it names prices of ${said.mints || 'nothing'}, the choice needs those of ${needed || 'nothing'}`,
    };
  const wrong = prices.find(({ mint, basis }) => {
    const token = tokenByMint(mint, network);
    return token !== null && basisOf(token.valuation) !== basis;
  });
  const detail = wrong
    ? `${wrong.mint ?? 'SOL'} is not valued by ${wrong.basis}`
    : namePrices(prices);
  return { id, title, outcome: outcomeOf(wrong === undefined), detail };
}

/** The mints of the prices that the metadata lists, and how many it counts. */
function pricesSaid({ service: { prices = [], priceCount } }: ReceiptMetadata) {
  return { mints: mintsOf(prices), count: priceCount ?? prices.length };
}

function mintsOf(prices: readonly LegPrice[]): string {
  return prices.map(({ mint }) => mint ?? 'SOL').join(', ');
}

/** A token at par is worth a dollar by rule: only the others depend on published values. */
function namePrices(prices: readonly LegPrice[]): string {
  const published = prices.filter(({ basis }) => basis !== 'par');
  if (published.length === 0) return 'it depends on no market price and no exchange rate';
  const bases = [
    ...(published.some(({ basis }) => basis === 'market') ? ['a market price'] : []),
    ...(published.some(({ basis }) => basis === 'fx') ? ['an exchange rate'] : []),
  ];
  const texts = published.map(
    ({ mint, usdPerUnit, source }) =>
      `${mint ?? 'SOL'} at ${toDecimalText(usdPerUnit)} USD (${source ?? 'no source'})`,
  );
  return `it depends on ${bases.join(' and ')}, as the issuer names it: ${texts.join(', ')}`;
}

function linesOf(lines: BesideLines): string {
  return lines.length === 0 ? 'nothing' : lines.map((line) => line.join(': ')).join('; ');
}

function tokenOf(o: { mint: string | null; tokenProgram: string | null; decimals: number }) {
  return `${o.mint ?? 'native SOL'}, program ${o.tokenProgram ?? 'none'}, ${o.decimals} decimals`;
}

function feesOf(o: { amountSent: bigint; feeWithheld: bigint }): string {
  return `sent ${o.amountSent}, withheld ${o.feeWithheld}`;
}

/** Whether these other legs are those that the metadata counts, and lists the first of. */
export function areLegsNamed(legs: readonly ReceiptLeg[], chain: Chain): boolean {
  const seen = payeesOf(legs.length, legs.slice(0, LISTED_PAYEES));
  return payeesOf(chain.otherPayees, chain.listedPayees) === seen;
}

function payeesOf(count: number, listed: readonly ReceiptLeg[]): string {
  const each = listed.map(
    ({ owner, amount, mint, decimals }) =>
      `${owner} ${amount}${mint === undefined ? '' : ` of ${mint ?? 'SOL'}, ${decimals ?? 'no'} decimals`}`,
  );
  return count === 0 && listed.length === 0 ? 'none' : `${count}: ${each.join(', ')}`;
}
