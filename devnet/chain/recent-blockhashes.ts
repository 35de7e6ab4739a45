import bs58 from 'bs58';
import { SYSVAR_OWNER } from './addresses';
import type { Acct } from './emulator';
import type { SlotClock } from './slot-clock';

/** The system account that lists the newest blockhashes. */
export const RECENT_BLOCKHASHES = 'SysvarRecentB1ockHashes11111111111111111111';

/** Entries of the account (agave, sdk/sysvar/src/recent_blockhashes.rs). */
const ENTRIES = 150;
const COUNT_BYTES = 8;
const HASH_BYTES = 32;
const ENTRY_BYTES = 40;
const LAMPORTS_PER_SIGNATURE = 5_000n;
/** The number of blockhashes that fill the 6,008 bytes of mainnet's account. */
const LAMPORTS = 42_706_560n;

/**
 * The account at a slot. The machine keeps none, because blockhashes are computed from their slots.
 */
export function recentBlockhashesAt(clock: SlotClock, slot: number): Acct {
  const data = Buffer.alloc(COUNT_BYTES + ENTRIES * ENTRY_BYTES);
  data.writeBigUInt64LE(BigInt(ENTRIES));
  for (let age = 0; age < ENTRIES; age += 1) {
    const at = COUNT_BYTES + age * ENTRY_BYTES;
    data.set(bs58.decode(clock.blockhash(slot - age)), at);
    data.writeBigUInt64LE(LAMPORTS_PER_SIGNATURE, at + HASH_BYTES);
  }
  return { data, executable: false, lamports: LAMPORTS, owner: SYSVAR_OWNER };
}
