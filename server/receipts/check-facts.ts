import type { Transfer, TransferReading } from '@/server/chain/transfer';
import { toDecimal } from '@/server/money';
import { notJudged, type CheckLine } from './check-line';
import type { ReceiptMetadata } from './describe-parse';
import type { IssuerDocument } from './issuer-document';

type Chain = ReceiptMetadata['chain'];
/** A fact as the metadata has it and as the transaction has it, in one spelling. */
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
    title: 'What was sent and withheld is what the chain shows',
    said: feesOf,
    seen: feesOf,
  },
  {
    id: 'fact_other_payees',
    title: 'The other payees are those of the transaction',
    said: (chain) => payeesOf(chain.otherPayees, chain.listedPayees),
    // The metadata lists the first of many and counts the rest.
    seen: ({ otherLegs }, chain) =>
      payeesOf(otherLegs.length, otherLegs.slice(0, Math.max(1, chain.listedPayees.length))),
  },
];

/** What the metadata marks as read from the chain, held against the payment that the chain shows. */
export function checkFacts(o: {
  payment: TransferReading;
  network: IssuerDocument['network'];
  metadata: ReceiptMetadata | null;
}): CheckLine[] {
  const { payment, metadata } = o;
  return [
    {
      id: 'payment_read',
      title: 'The transaction is a payment',
      held: payment.ok,
      detail: payment.ok
        ? `${toDecimal(payment.transfer.amount, payment.transfer.decimals)} from ${payment.transfer.payer} to ${payment.transfer.seller}`
        : `${payment.code}: ${payment.detail}`,
    },
    checkNetwork(o.network, metadata),
    ...FACTS.map(({ id, title, said, seen }) => {
      if (!metadata) return notJudged(id, title, 'the metadata cannot be read');
      if (!payment.ok) return notJudged(id, title, 'the payment cannot be read');
      const [one, other] = [said(metadata.chain), seen(payment.transfer, metadata.chain)];
      const held = one === other;
      const detail = held ? one : `the metadata says ${one}, the chain ${other}`;
      return { id, title, held, detail };
    }),
  ];
}

function checkNetwork(
  network: IssuerDocument['network'],
  metadata: ReceiptMetadata | null,
): CheckLine {
  const id = 'fact_network';
  const title = 'The network is the one the issuer works on';
  if (!metadata) return notJudged(id, title, 'the metadata cannot be read');
  const said = metadata.chain.network;
  return { id, title, held: said === network, detail: `the metadata says ${said}` };
}

function tokenOf(o: { mint: string | null; tokenProgram: string | null; decimals: number }) {
  return `${o.mint ?? 'native SOL'}, program ${o.tokenProgram ?? 'none'}, ${o.decimals} decimals`;
}

function feesOf(o: { amountSent: bigint; feeWithheld: bigint }): string {
  return `sent ${o.amountSent}, withheld ${o.feeWithheld}`;
}

function payeesOf(count: number, listed: { owner: string; amount: bigint }[]): string {
  const each = listed.map(({ owner, amount }) => `${owner} ${amount}`);
  return count === 0 ? 'none' : `${count}: ${each.join(', ')}`;
}
