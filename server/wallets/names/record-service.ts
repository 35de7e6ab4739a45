import { createHash } from 'node:crypto';
import { address, getAddressEncoder, getProgramDerivedAddress, type Address } from '@solana/kit';
import { TOKEN_2022 } from '@quittance/verify/chain/programs';
import {
  findHolding,
  keyAt,
  present,
  standsFor,
  viewOf,
  type NameAnswer,
  type NameNode,
} from './name-answer';

/** Solana Record Service, which now keeps `.sol` (solana-foundation/solana-record-service, README). */
export const RECORD_SERVICE = address('srsWjm76StJucL7atFyPSdXFaVLNPFqEt1uFEDPrZsn');
/** Its class of the `.sol` names (SOL_SRS_CLASS of @bonfida/spl-name-service 4.1.0). */
export const SOL_CLASS = address('Dqc9TrYg1AZLEa6UkZUqCDrr9zsHQveo1szGTE1BTW5');
/** Goes before the name in the hash that is the seed of its record (SRS_HASH_PREFIX, same source). */
const SEED_PREFIX = 'name';

/** Layout of a record (program/src/state/record.rs): a byte for each of kind, owner's kind and frozen. */
const RECORD = { kind: 0, class: 1, ownerKind: 33, owner: 34, frozen: 66, expiry: 67, bytes: 75 };
const IS_RECORD = 2;
const OWNED_BY = { wallet: 0, token: 1 } as const;

/** Where the record of a `.sol` name is; `label` without the `.sol`. */
export async function recordAddress(label: string): Promise<Address> {
  const seed = createHash('sha256').update(`${SEED_PREFIX}${label}`).digest();
  return derive(['record', getAddressEncoder().encode(SOL_CLASS), seed]);
}

/** The mint of the NFT of a record that is tokenised. */
export function recordMint(record: Address): Promise<Address> {
  return derive(['mint', getAddressEncoder().encode(record)]);
}

async function derive(seeds: Parameters<typeof getProgramDerivedAddress>[0]['seeds']) {
  const [derived] = await getProgramDerivedAddress({ programAddress: RECORD_SERVICE, seeds });
  return derived;
}

/**
 * The wallet of a `.sol` name in the Record Service: the owner in its record, or the holder of its NFT. `now` is the
 * database's time, for the expiry (0: never). A frozen record names nobody: its operator disputes it. Throws
 * RpcUnavailable and RpcRefused.
 */
export async function readRecordService(
  node: NameNode,
  o: { label: string; now: Date },
): Promise<NameAnswer> {
  const at = await recordAddress(o.label);
  const { accounts } = await node.getAccounts([at]);
  const record = present(accounts[0]);
  if (!record) return { state: 'unknown' };
  const { data } = record;
  const isRecord =
    record.owner === RECORD_SERVICE &&
    data.length >= RECORD.bytes &&
    data[RECORD.kind] === IS_RECORD &&
    keyAt(data, RECORD.class) === SOL_CLASS;
  if (!isRecord) return { state: 'unsure', why: 'malformed' };
  if (data[RECORD.frozen] !== 0) return { state: 'unsure', why: 'frozen' };
  const expiryS = viewOf(data).getBigInt64(RECORD.expiry, true);
  if (expiryS !== 0n && expiryS * 1_000n <= BigInt(o.now.getTime()))
    return { state: 'unsure', why: 'expired' };
  const owner = keyAt(data, RECORD.owner);
  if (data[RECORD.ownerKind] === OWNED_BY.wallet) return standsFor(owner);
  if (data[RECORD.ownerKind] !== OWNED_BY.token || owner !== (await recordMint(at)))
    return { state: 'unsure', why: 'malformed' };
  const holding = await findHolding(node, { mint: owner, program: TOKEN_2022 });
  return holding ? standsFor(holding.owner) : { state: 'unsure', why: 'no_wallet' };
}
