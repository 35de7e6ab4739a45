import type { Acct } from './emulator';

/** An account before and after a change. */
export type Change = { address: string; before: Acct | null; after: Acct | null };

/** Differing bytes at an offset. */
type Patch = [offset: number, base64: string];

/**
 * A change as a line of the journal: the whole account, or only the differing bytes when its size
 * stayed.
 */
export type SavedChange = {
  a: string;
  /** Lamports in decimal, or absent when the account was removed. */
  l?: string | undefined;
  o?: string | undefined;
  d?: string | undefined;
  p?: Patch[] | undefined;
};

/** Up to this many equal bytes between two differences, repeating them is cheaper than a split. */
const MERGE_GAP_BYTES = 32;
/** Under this size a patch saves nothing. */
const PATCH_FROM_BYTES = 512;

/** A large account (a Merkle tree has 48 KB and more) is saved as the changed bytes only. */
export function saveChange({ address, before, after }: Change): SavedChange {
  if (!after) return { a: address };
  const head = { a: address, l: after.lamports.toString(), o: after.owner };
  const patchable = before?.data.length === after.data.length && !before.executable;
  if (before && patchable && after.data.length >= PATCH_FROM_BYTES)
    return { ...head, p: differences(before.data, after.data) };
  return { ...head, d: Buffer.from(after.data).toString('base64') };
}

/** The account after a saved change. */
export function loadChange(saved: SavedChange, before: Acct | null): Acct | null {
  if (saved.l === undefined || saved.o === undefined) return null;
  const head = { lamports: BigInt(saved.l), owner: saved.o, executable: false };
  if (!saved.p) return { ...head, data: bytes(saved.d ?? '') };
  if (!before) throw new Error(`the journal changes bytes of ${saved.a}, which it never wrote`);
  const data = before.data.slice();
  for (const [offset, text] of saved.p) data.set(bytes(text), offset);
  return { ...head, data };
}

function differences(before: Uint8Array, after: Uint8Array): Patch[] {
  const ranges: { from: number; to: number }[] = [];
  for (let i = 0; i < after.length; i++) {
    if (before[i] === after[i]) continue;
    const last = ranges.at(-1);
    if (last && i - last.to <= MERGE_GAP_BYTES) last.to = i + 1;
    else ranges.push({ from: i, to: i + 1 });
  }
  return ranges.map(({ from, to }) => [
    from,
    Buffer.from(after.subarray(from, to)).toString('base64'),
  ]);
}

function bytes(base64: string): Uint8Array {
  return new Uint8Array(Buffer.from(base64, 'base64'));
}
