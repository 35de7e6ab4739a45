import type { Prisma } from '@/generated/prisma/client';
import type { Db } from '@/server/db/client';
import { insertInto } from '@/server/db/insert-into';
import { quietUntil, type MintKind } from './mint-state';

/** What is fixed about an NFT before it is minted. */
export type NewMint = {
  /** Id of the receipt or statement. */
  id: string;
  kind: MintKind;
  /** Wallet that will receive the NFT. */
  owner: string;
  /** At most 32 bytes: a limit of the program. */
  name: string;
  /** At most 200 bytes: a limit of the program. */
  metadataUri: string;
  metadataItemId: string;
  imageItemId: string;
  /** Transactions that must be final first; null where there is none. */
  transactionSignature: string | null;
  paymentSignature: string | null;
  paid: boolean;
};

const MOST_NAME_BYTES = 32;
const MOST_URI_BYTES = 200;

/**
 * Writes a pending mint inside the caller's transaction. Throws RangeError for a name or address that
 * the program would refuse, so that no receipt is promised which cannot be minted.
 */
export async function createMint(db: Db, fields: NewMint, now: Date): Promise<void> {
  await db.$executeRaw(mintToCreate(fields, now));
}

/** {@link createMint} as SQL that can stand inside a larger statement. */
export function mintToCreate(fields: NewMint, now: Date): Prisma.Sql {
  if (Buffer.byteLength(fields.name) > MOST_NAME_BYTES)
    throw new RangeError(`the name of mint ${fields.id} is over ${MOST_NAME_BYTES} bytes`);
  if (Buffer.byteLength(fields.metadataUri) > MOST_URI_BYTES)
    throw new RangeError(
      `the metadata address of mint ${fields.id} is over ${MOST_URI_BYTES} bytes`,
    );
  const times = { createdAt: now, updatedAt: now, redriveAt: quietUntil(now) };
  return insertInto('mints', [{ ...fields, ...times }]);
}
