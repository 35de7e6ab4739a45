import canonicalize from 'canonicalize';
import { z } from 'zod';
import {
  type Issued,
  makeKey,
  openIssuer,
  type OpenIssuer,
} from '@/server/receipts/evidence.fixture';
import type { AssetNow } from '@quittance/verify/chain/read-asset';
import type { Leg } from '@quittance/verify/chain/movements';
import type { TransactionReading } from '@quittance/verify/chain/transfer';
import { openPlaces } from '@quittance/verify/receipts/look-up-proof';
import { lookUpRows } from '@quittance/verify/statements/look-up-rows';
import type { StatementRow, Totals } from '@quittance/verify/statements/statement-rows';
import type { checkStatementProof } from '@quittance/verify/statements/statement-proof';
import { csvSha256 } from '@quittance/verify/statements/write-csv';
import { describeStatement, type StatementFacts } from './describe-statement';
import { drawStatement } from './draw-statement';
import {
  doBusiness,
  type Draft,
  draftStatement,
  issueStatement,
  type Shown,
  stamped,
} from './statement.fixture';

const json = z.looseObject({ attributes: z.array(z.record(z.string(), z.unknown())) });
type Metadata = z.infer<typeof json>;
type Given = Parameters<typeof checkStatementProof>[0];

/**
 * The parts that the issuer forges with its own keys, or that a stranger shows instead of those of
 * a genuine statement.
 */
export type Forge = {
  /** Rewrites the rows; sums, root and CSV follow. */
  rows?: (rows: StatementRow[]) => StatementRow[];
  /** Rewrites the facts, and with them the metadata. */
  draft?: (draft: Draft) => Draft;
  /** Rewrites the metadata before it is signed and minted. */
  metadata?: (metadata: Metadata) => object;
  /** Keeps the image that was drawn of other facts. */
  image?: 'of another statement';
  /** Mints and signs in another way. */
  minted?: Partial<Issued>;
  /** Rewrites what is shown of the NFT after it was minted. */
  shown?: (shown: Shown) => Given;
};

export const nth = (n: number, change: (row: StatementRow) => Partial<StatementRow>): Forge => ({
  rows: (rows) => rows.map((row, at) => (at === n ? { ...row, ...change(row) } : row)),
});
export const first = (change: Partial<StatementRow>): Forge => nth(0, () => change);

export const facts = (change: (facts: StatementFacts) => Partial<StatementFacts>): Forge => ({
  draft: (draft) => ({ ...draft, facts: { ...draft.facts, ...change(draft.facts) } }),
});
export const totals = (change: (totals: Totals) => Partial<Totals>): Forge =>
  facts((facts) => ({ totals: { ...facts.totals, ...change(facts.totals) } }));
/** A scan from one instant to before another. */
export const scan = (from: string, until: string, minMicros: bigint): Forge =>
  facts(() => ({
    mode: 'scan',
    firstDay: from.slice(0, 10),
    lastDay: new Date(Date.parse(until) - 1).toISOString().slice(0, 10),
    period: { from: new Date(from), until: new Date(until), minMicros },
  }));
/** Another CSV, whose hash is the one in the NFT. */
export const csv = (change: (text: string) => string): Forge => ({
  draft: (draft) => {
    const changed = change(draft.csv);
    return { ...draft, csv: changed, facts: { ...draft.facts, csvSha256: csvSha256(changed) } };
  },
});

export const metadata = (change: (metadata: Metadata) => object): Forge => ({
  metadata: (one) => ({ ...one, ...change(one) }),
});
export const trait = (name: string, value: string): Forge =>
  metadata(({ attributes }) => ({
    attributes: attributes.map((one) => (one['trait_type'] === name ? { ...one, value } : one)),
  }));
export const everyTrait = (change: object): Forge =>
  metadata(({ attributes }) => ({ attributes: attributes.map((one) => ({ ...one, ...change })) }));
/** A trait of the issuer's more. */
export const added = (trait_type: string, value: string): Forge =>
  metadata(({ attributes }) => ({
    attributes: [
      ...attributes,
      { trait_type, value, verification: 'self_reported', reported_by: 'service' },
    ],
  }));

export const mintedAs = (minted: Partial<Issued>): Forge => ({ minted });

export const shown = (change: (shown: Shown) => Partial<Given>): Forge => ({
  shown: (one) => ({ ...one, ...change(one) }),
});
export const issuer = (change: (document: Shown['issuer']) => Partial<Shown['issuer']>): Forge =>
  shown((one) => ({ issuer: { ...one.issuer, ...change(one.issuer) } }));
export const node = (change: (seen: Shown['seen']) => Partial<Shown['seen']>): Forge =>
  shown((one) => ({ seen: { ...one.seen, ...change(one.seen) } }));

/**
 * The payments of the rows on a chain where something else moved, or from a node that returned
 * less.
 */
const onTheChain = (change: (payment: TransactionReading, at: number) => TransactionReading) =>
  shown(({ payments }) => ({
    payments: new Map(
      payments === 'none'
        ? []
        : [...payments].map(([signature, one], at) => [signature, change(one, at)] as const),
    ),
  }));
const legsOf = (payment: TransactionReading, change: (leg: Leg) => Leg): TransactionReading =>
  payment.ok
    ? {
        ...payment,
        movements: { ...payment.movements, legs: payment.movements.legs.map(change) },
      }
    : payment;
/** The first payment was one of another token. */
export const paidIn = (mint: string, row: Partial<StatementRow>): Forge => ({
  ...first({ mint, ...row }),
  ...onTheChain((payment, at) =>
    at === 0 ? legsOf(payment, (leg) => ({ ...leg, mint })) : payment,
  ),
});

/** The node keeps no calls of the payments, and shows other legs. */
export const untold = (change: (leg: Leg) => Leg): Forge =>
  onTheChain((payment) => {
    const { movements, ...rest } = legsOf(payment, change);
    return rest.ok && movements
      ? { ...rest, movements: { ...movements, hasInner: false } }
      : payment;
  });

/** The chain shows one leg more of the first payment than there are rows. */
export const oneLegMore = (mint: string, change: Partial<Leg> = {}) =>
  shown((one) => {
    const [signature, payment] = [...(one.payments === 'none' ? [] : one.payments)][0] ?? [];
    const leg = payment?.movements?.legs.find(({ direction }) => direction === 'got');
    if (!payment?.ok || signature === undefined || !leg) throw new Error('there is no payment');
    const legs = [
      ...payment.movements.legs,
      { ...leg, owner: makeKey().publicKey, mint, ...change },
    ];
    const movements = { ...payment.movements, legs };
    return {
      payments: new Map([
        ...(one.payments === 'none' ? [] : one.payments),
        [signature, { ...payment, movements }] as const,
      ]),
    };
  });

/** The index of assets (DAS) of the node. */
export const index = (change: (asset: AssetNow) => Partial<AssetNow>): Forge =>
  node(({ asset }) => ({ asset: asset && { ...asset, ...change(asset) } }));

export type Forger = (forge: Forge) => Promise<Given>;

/**
 * Forges statements of one wallet with the keys of one issuer. Forgeries that only show other parts
 * share one mint.
 */
export async function openForger(rpcUrl: string): Promise<Forger> {
  const [business, keys] = await Promise.all([
    doBusiness(rpcUrl),
    openIssuer(rpcUrl, { publicUrl: 'https://receipts.example', depth: 14, buffer: 1024 }),
  ]);
  const image = await drawStatement(draftStatement(business).facts);
  const places = openPlaces({ rpcUrl, network: 'local' });
  const make = async (forge: Forge): Promise<Shown> => {
    const rows = forge.rows?.(business.rows) ?? business.rows;
    const honest = draftStatement({ wallet: business.wallet, rows });
    const draft = forge.draft?.(honest) ?? honest;
    const payments = await lookUpRows(draft.items, places);
    const issuer: OpenIssuer = {
      ...keys,
      issue: (wish) => keys.issue({ ...wish, ...forge.minted }),
    };
    const text = rewrite(describeStatement(draft.facts, ''), forge.metadata);
    const issued = await issueStatement(issuer, {
      ...draft,
      payments,
      image: forge.image ? image : stamped(image, text),
      rewrite: (bytes) => rewrite(bytes, forge.metadata),
    });
    return issued.shown;
  };
  const honest = await make({});
  return async (forge) => {
    const isNew = forge.rows ?? forge.draft ?? forge.metadata ?? forge.minted ?? forge.image;
    const made = isNew ? await make(forge) : honest;
    return forge.shown?.(made) ?? made;
  };
}

function rewrite(bytes: Uint8Array, change: Forge['metadata']): Uint8Array {
  if (!change) return bytes;
  const metadata = json.parse(JSON.parse(new TextDecoder().decode(bytes)));
  return new TextEncoder().encode(canonicalize(change(metadata)));
}
