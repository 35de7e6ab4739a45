import { toDecimal } from '@/server/money';

/** A tree that tree:create offers, with what it costs. */
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
  pendingMigrations: number | null;
  minterLamports: bigint | null;
  treeRoom: bigint;
  offers: TreeOffer[];
  /** Lamports of one mint, priority fee included. */
  mintLamports: bigint;
  /** What the storage node asks for an item of 100 KiB, and keeps for us; null when unknown. */
  storagePrice: bigint | null;
  storageLamports: bigint | null;
  serves: boolean;
};

export type Step = {
  state: 'done' | 'to do' | 'optional';
  command: string;
  cost: string;
  notes: string[];
};

/** How many mints the minter's purse should hold after the tree is paid. */
const FIRST_MINTS = 1_000n;

const sol = (lamports: bigint) => `${toDecimal(lamports, 9)} SOL`;

/** The commands of a set-up in order, with their cost, and which are done. */
export function planSetup(s: SetupState): Step[] {
  const smallest = s.offers[0];
  const treeLamports = s.treeRoom > 0n ? 0n : (smallest?.lamports ?? 0n);
  const purse = treeLamports + FIRST_MINTS * s.mintLamports;
  return [
    {
      state: doneIf(s.pendingMigrations === 0),
      command: 'npm run migrate',
      cost: 'nothing',
      notes: s.pendingMigrations ? [`${s.pendingMigrations} to apply`] : [],
    },
    {
      state: doneIf(s.minterLamports !== null && s.minterLamports >= purse),
      command: `solana transfer ${s.minter} ${toDecimal(purse, 9)} --allow-unfunded-recipient`,
      cost: sol(purse),
      notes: [
        `${FIRST_MINTS} mints at ${sol(s.mintLamports)}` +
          (treeLamports > 0n ? `, and the smallest tree below at ${sol(treeLamports)}` : ''),
        `the minter holds ${s.minterLamports === null ? 'an unknown sum' : sol(s.minterLamports)}`,
      ],
    },
    {
      state: doneIf(s.treeRoom > 0n),
      command: smallest ? treeCommand(smallest) : 'npm run tree:create',
      cost: smallest ? `${sol(smallest.lamports)}, which stays in its accounts` : 'unknown',
      notes: s.offers
        .slice(1)
        .map(
          (offer) => `or ${treeCommand(offer)}: ${offer.capacity} receipts, ${sol(offer.lamports)}`,
        ),
    },
    {
      state: (s.storageLamports ?? 0n) > 0n ? 'done' : 'optional',
      command: `fund ${s.storage} at the storage node`,
      cost: s.storagePrice === null ? 'unknown' : `${sol(s.storagePrice)} for 100 KiB`,
      notes: [
        'receipts stay under 100 KiB, which Irys takes for nothing; some balance avoids odd 402s',
      ],
    },
    { state: doneIf(s.serves), command: 'npm start', cost: 'nothing', notes: [] },
  ];
}

const doneIf = (held: boolean) => (held ? 'done' : 'to do');
const treeCommand = ({ depth, buffer, canopy }: TreeOffer) =>
  `npm run tree:create -- --depth ${depth} --buffer ${buffer} --canopy ${canopy}`;
