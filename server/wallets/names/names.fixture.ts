import { createHash } from 'node:crypto';
import {
  CENTRAL_STATE,
  getDomainKeySync,
  getDomainMint,
  getRecordKeySync,
  getRecordV2Key,
  NAME_PROGRAM_ID,
  NAME_TOKENIZER_ID,
  NftRecord,
  Record as Field,
  ROOT_DOMAIN_ACCOUNT,
} from '@bonfida/spl-name-service';
import { TOKEN, TOKEN_2022 } from '@quittance/verify/chain/programs';
import bs58 from 'bs58';
import { z } from 'zod';
import type { Wallet } from '@/devnet/client/wallet';
import { httpStatus, startFakeNode, type FakeNode } from '@/tests/harness/chain/fake-node';
import { RECORD_SERVICE, recordAddress, recordMint, SOL_CLASS } from './record-service';

/** An account in the form of a node. */
export type Kept = { owner: string; data: Buffer };
/** Accounts of a chain, by address, and the holders of each mint. */
export type Names = { accounts: Map<string, Kept>; largest: Map<string, Map<string, bigint>> };

const PROGRAM = NAME_PROGRAM_ID.toBase58();
const bytes = (address: string) => Buffer.from(bs58.decode(address));
const ZERO = Buffer.alloc(32);

/** A chain on which the registry of names is, and no name. */
export function makeNames(): Names {
  const root = { owner: PROGRAM, data: Buffer.alloc(96) };
  return { accounts: new Map([[ROOT_DOMAIN_ACCOUNT.toBase58(), root]]), largest: new Map() };
}

/** Writes a name into the registry, like its registrar. */
export function register(names: Names, label: string, owner: string): void {
  const data = Buffer.concat([ROOT_DOMAIN_ACCOUNT.toBuffer(), bytes(owner), ZERO]);
  names.accounts.set(registryKey(label), { owner: PROGRAM, data });
}

export function registryKey(label: string): string {
  return getDomainKeySync(label).pubkey.toBase58();
}

export function fieldKey(label: string): string {
  return getRecordV2Key(label, Field.SOL).toBase58();
}

/** Solana's kind of validation in a record of version 2. */
const SOLANA = 1;

/** Writes a SOL record of version 2: `owner` set it, and `proven` is the wallet that signed to be meant. */
export function pointTo(
  names: Names,
  label: string,
  o: { wallet: string; owner: string; proven?: string; validation?: number },
): void {
  const head = Buffer.alloc(8);
  head.writeUInt16LE(o.validation ?? SOLANA, 0);
  head.writeUInt16LE(o.validation ?? SOLANA, 2);
  head.writeUInt32LE(32, 4);
  const data = Buffer.concat([
    ...[Buffer.alloc(96), head, bytes(o.owner)],
    ...[bytes(o.proven ?? o.wallet), bytes(o.wallet)],
  ]);
  names.accounts.set(fieldKey(label), { owner: PROGRAM, data });
}

/** Writes a SOL record of version 1, which the owner of the name signs. */
export function pointToV1(names: Names, label: string, o: { wallet: string; by: Wallet }): void {
  const key = getRecordKeySync(label, Field.SOL);
  const text = Buffer.concat([bytes(o.wallet), key.toBuffer()]).toString('hex');
  const signature = Buffer.from(bs58.decode(o.by.signText(text)));
  const data = Buffer.concat([Buffer.alloc(96), bytes(o.wallet), signature]);
  names.accounts.set(key.toBase58(), { owner: PROGRAM, data });
}

/** An NFT, where it is held, and the bytes of its mint and of that account. */
type Nft = { mint: string; account: string; minted: Buffer; held: Buffer };

/** Makes an NFT of a name in the registry, which then belongs to the program; `holder` holds the NFT. */
export function tokenise(names: Names, label: string, holder: string): Nft {
  const name = getDomainKeySync(label).pubkey;
  const [key] = NftRecord.findKeySync(name, NAME_TOKENIZER_ID);
  const mint = getDomainMint(name);
  register(names, label, CENTRAL_STATE.toBase58());
  names.accounts.set(key.toBase58(), {
    owner: NAME_TOKENIZER_ID.toBase58(),
    data: Buffer.concat([Buffer.from([2, 255]), name.toBuffer(), bytes(holder), mint.toBuffer()]),
  });
  return holdNft(names, { mint: mint.toBase58(), holder, program: TOKEN });
}

/** One token of a mint without decimals, in an account of `holder`. */
export function holdNft(
  names: Names,
  { mint, holder, program }: { mint: string; holder: string; program: string },
): Nft {
  const account = addressOf(`${mint} ${holder}`);
  const minted = Buffer.alloc(82);
  minted.writeBigUInt64LE(1n, 36);
  minted[45] = 1;
  const held = Buffer.alloc(165);
  bytes(mint).copy(held, 0);
  bytes(holder).copy(held, 32);
  held.writeBigUInt64LE(1n, 64);
  held[108] = 1;
  names.accounts.set(mint, { owner: program, data: minted });
  names.accounts.set(account, { owner: program, data: held });
  names.largest.set(mint, new Map([[account, 1n]]));
  return { mint, account, minted, held };
}

/** Writes a `.sol` name into the Record Service; `expiryS` in Unix seconds, 0 for never. */
export async function record(
  names: Names,
  label: string,
  o: { owner: string; expiryS?: bigint; isFrozen?: boolean; ownerKind?: number; class?: string },
): Promise<void> {
  const data = Buffer.alloc(120);
  data[0] = 2;
  bytes(o.class ?? SOL_CLASS).copy(data, 1);
  data[33] = o.ownerKind ?? 0;
  bytes(o.owner).copy(data, 34);
  data[66] = o.isFrozen ? 1 : 0;
  data.writeBigInt64LE(o.expiryS ?? 0n, 67);
  names.accounts.set(await recordAddress(label), { owner: RECORD_SERVICE, data });
}

/** A `.sol` name whose NFT `holder` holds. */
export async function tokeniseRecord(names: Names, label: string, holder: string): Promise<void> {
  const mint = await recordMint(await recordAddress(label));
  await record(names, label, { owner: mint, ownerKind: 1 });
  holdNft(names, { mint, holder, program: TOKEN_2022 });
}

/** An address without a known key, for a text; it may be off the curve. */
export function addressOf(text: string): string {
  return bs58.encode(createHash('sha256').update(text).digest());
}

const addresses = z.array(z.string());

/** A node that shows this chain. */
export function showNames(names: Names): Promise<FakeNode> {
  const context = { slot: 1 };
  return startFakeNode(({ method, params: [first] }) => {
    if (method === 'getMultipleAccounts') {
      const value = addresses.parse(first).map((address) => {
        const kept = names.accounts.get(address);
        return (
          kept && {
            lamports: 1,
            owner: kept.owner,
            data: [kept.data.toString('base64'), 'base64'],
            executable: false,
          }
        );
      });
      return { result: { context, value: value.map((account) => account ?? null) } };
    }
    if (method === 'getTokenLargestAccounts') {
      const held = names.largest.get(z.string().parse(first)) ?? new Map<string, bigint>();
      const value = [...held].map(([address, amount]) => ({ address, amount: String(amount) }));
      return { result: { context, value } };
    }
    return httpStatus(500);
  });
}
