import { toDecimal } from '@quittance/verify/money';
import { LEAST_FEE_PAYER_LAMPORTS, STORED_AHEAD } from '@/server/payments/check-accounts';

/** A tree that tree:create offers, with its cost. */
export type TreeOffer = {
  depth: number;
  buffer: number;
  canopy: number;
  capacity: bigint;
  lamports: bigint;
};

export type SetupState = {
  minter: string;
  storage: string;
  feePayer: string;
  payTo: string;
  usdcMint: string;
  /** The rent that payTo's USDC account holds, 0n without an account. Null when unknown. */
  receiverLamports: bigint | null;
  /** Rent of a token account. Null when unknown. */
  accountLamports: bigint | null;
  pendingMigrations: number | null;
  minterLamports: bigint | null;
  feePayerLamports: bigint | null;
  treeRoom: bigint;
  /** The minter's missing collections, and the cost of making them. Null when unknown. */
  missingCollections: readonly string[] | null;
  collectionLamports: bigint | null;
  offers: TreeOffer[];
  /** Lamports of one mint, priority fee included. */
  mintLamports: bigint;
  /** The storage node's price for one of our items, and our balance there. Null when unknown. */
  storagePrice: bigint | null;
  storageLamports: bigint | null;
  serves: boolean;
};

export type Step = {
  state: 'done' | 'to do';
  command: string;
  cost: string;
  notes: string[];
};

/** How many mints the minter's balance should cover after the tree is paid. */
const FIRST_MINTS = 1_000n;
/** Five times the balance at which the paid routes close. */
const FEE_PAYER_LAMPORTS = 5n * LEAST_FEE_PAYER_LAMPORTS;

const sol = (lamports: bigint) => `${toDecimal(lamports, 9)} SOL`;

/** The commands of a set-up in order, with their cost and whether they are done. */
export function planSetup(s: SetupState): Step[] {
  const smallest = s.offers[0];
  const treeLamports = s.treeRoom > 0n ? 0n : (smallest?.lamports ?? 0n);
  const storageNeed = s.storagePrice === null ? null : s.storagePrice * STORED_AHEAD.items;
  const collectionLamports = s.collectionLamports ?? 0n;
  const needed = treeLamports + collectionLamports + FIRST_MINTS * s.mintLamports;
  return [
    {
      state: doneIf(s.pendingMigrations === 0),
      command: 'npm run migrate',
      cost: 'nothing',
      notes: s.pendingMigrations ? [`${s.pendingMigrations} to apply`] : [],
    },
    {
      state: doneIf(s.minterLamports !== null && s.minterLamports >= needed),
      command: `solana transfer ${s.minter} ${toDecimal(needed, 9)} --allow-unfunded-recipient`,
      cost: sol(needed),
      notes: [
        `${FIRST_MINTS} mints at ${sol(s.mintLamports)}` +
          (treeLamports > 0n ? `, and the smallest tree below at ${sol(treeLamports)}` : '') +
          (collectionLamports > 0n ? `, and collections at ${sol(collectionLamports)}` : ''),
        `the minter holds ${s.minterLamports === null ? 'an unknown amount' : sol(s.minterLamports)}`,
      ],
    },
    {
      state: doneIf(s.treeRoom > 0n),
      command: smallest ? treeCommand(smallest) : 'npm run tree:create',
      cost: smallest ? `${sol(smallest.lamports)}, which stays in its accounts` : 'unknown',
      notes: [
        ...s.offers
          .slice(1)
          .map(
            (offer) =>
              `or ${treeCommand(offer)}: ${offer.capacity} receipts, ${sol(offer.lamports)}`,
          ),
        ...(collectionLamports > 0n
          ? [
              `creates the collections for: ${(s.missingCollections ?? []).join(', ')}, ${sol(collectionLamports)}`,
            ]
          : []),
      ],
    },
    ...(s.treeRoom > 0n ? planCollections(s) : []),
    {
      state: doneIf(s.feePayerLamports !== null && s.feePayerLamports >= FEE_PAYER_LAMPORTS),
      command: `solana transfer ${s.feePayer} ${toDecimal(FEE_PAYER_LAMPORTS, 9)} --allow-unfunded-recipient`,
      cost: sol(FEE_PAYER_LAMPORTS),
      notes: [
        'network fees of some 5,000 x402 payments; below a fifth of it, the service accepts only payments that clients send themselves',
        `the fee payer holds ${s.feePayerLamports === null ? 'an unknown amount' : sol(s.feePayerLamports)}`,
      ],
    },
    {
      state: doneIf(s.receiverLamports !== null && s.receiverLamports > 0n),
      command: `spl-token create-account ${s.usdcMint} --owner ${s.payTo} --fee-payer ~/.config/solana/id.json`,
      cost: s.accountLamports === null ? 'unknown' : sol(s.accountLamports),
      notes: ['clients never open the account that they pay to'],
    },
    {
      state: doneIf(storageNeed !== null && (s.storageLamports ?? -1n) >= storageNeed),
      command: `fund ${s.storage} at the storage node`,
      cost: storageNeed === null ? 'unknown' : sol(storageNeed),
      notes: [
        `${STORED_AHEAD.items} items; Irys mostly stores small ones for free, but without a balance the service accepts no payments`,
      ],
    },
    { state: doneIf(s.serves), command: 'npm start', cost: 'nothing', notes: [] },
  ];
}

/**
 * A separate step if there is a tree already, because only the first tree brings the collections
 * with it.
 */
function planCollections({ missingCollections, collectionLamports }: SetupState): Step[] {
  if (missingCollections?.length === 0) return [];
  return [
    {
      state: 'to do',
      command: 'npm run tree:create -- --collections',
      cost: collectionLamports === null ? 'unknown' : sol(collectionLamports),
      notes: [
        missingCollections === null
          ? 'the database did not answer whether there are collections'
          : `no collection yet for: ${missingCollections.join(', ')}; until then NFTs are minted without one`,
      ],
    },
  ];
}

const doneIf = (held: boolean) => (held ? 'done' : 'to do');
const treeCommand = ({ depth, buffer, canopy }: TreeOffer) =>
  `npm run tree:create -- --depth ${depth} --buffer ${buffer} --canopy ${canopy}`;
