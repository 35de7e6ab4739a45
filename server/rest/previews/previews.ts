import { USD_DECIMALS } from '@quittance/verify/money';
import type { MintStatus } from '@/generated/prisma/client';
import type { Network } from '@/server/env';
import { amountWords, utcDate, warningOf } from '@quittance/verify/images/draw-words';
import type { Preview } from './draw-preview';

const VERDICTS = {
  completed: { words: 'Recorded on Solana. Anyone can check it.', tone: 'good' },
  pending: { words: 'Being recorded on Solana', tone: 'waiting' },
  failed: { words: 'Not recorded on Solana', tone: 'bad' },
} as const satisfies Record<MintStatus, Preview['verdict']>;

/** The preview of a receipt: amount in base units, token, UTC day and how far its NFT is; no label. */
export function receiptPreview(o: {
  network: Network;
  id: string;
  amount: bigint;
  decimals: number;
  token: string;
  blockTime: Date;
  status: MintStatus;
}): Preview {
  return {
    kind: 'RECEIPT',
    title: amountWords(o.amount, o.decimals),
    unit: o.token,
    lines: [`Paid on ${utcDate(o.blockTime)} (UTC)`, o.id],
    verdict: VERDICTS[o.status],
    warning: warningOf(o.network, 'receipt'),
  };
}

/** The preview of a statement: its total in micro-USD, the number of its payments and its UTC days. */
export function statementPreview(o: {
  network: Network;
  id: string;
  totalMicros: bigint;
  count: number;
  /** The first and last instant it is of; null for a list. */
  period: { first: Date; last: Date } | null;
  createdAt: Date;
  status: MintStatus;
}): Preview {
  const payments = `${o.count} ${o.count === 1 ? 'payment' : 'payments'}`;
  const days = o.period
    ? `from ${utcDate(o.period.first)} to ${utcDate(o.period.last)}`
    : `listed on ${utcDate(o.createdAt)}`;
  return {
    kind: 'STATEMENT',
    title: amountWords(o.totalMicros, USD_DECIMALS),
    unit: 'USD',
    lines: [`${payments} ${days}`, o.id],
    verdict: VERDICTS[o.status],
    warning: warningOf(o.network, 'statement'),
  };
}

/** The preview of a page that is the same for everybody. */
export const PAGE_PREVIEWS = {
  home: {
    kind: '',
    title: 'Receipts for payments on Solana',
    unit: '',
    lines: ['Turn a payment into a receipt that anyone can check', 'and nobody can change.'],
    verdict: null,
    warning: null,
  },
  docs: {
    kind: 'DOCS',
    title: 'API reference',
    unit: '',
    lines: ['Every path of the service, with examples that run', 'and how to fix every error.'],
    verdict: null,
    warning: null,
  },
} as const satisfies Record<string, Preview>;
