import { PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js';
import { LIGHTHOUSE } from '../addresses';

const PROGRAM = new PublicKey(LIGHTHOUSE);
/** The largest rent that one instruction can make a payer pay. */
const LARGEST_MEMORY_BYTES = 10_240;

/** MemoryWrite of one byte at the end of the largest memory: its payer pays 0.0722 SOL of rent. */
export function memoryWrite(payer: PublicKey, id: number): TransactionInstruction {
  const { address, bump } = memoryOf(payer, id);
  const offset = LARGEST_MEMORY_BYTES - 1;
  const compactOffset = [(offset & 0x7f) | 0x80, offset >> 7];
  return lighthouse(
    [0, id, bump, ...compactOffset, 2, 1, 7],
    [
      key(PROGRAM),
      key(SystemProgram.programId),
      { pubkey: payer, isSigner: true, isWritable: true },
      { pubkey: address, isSigner: false, isWritable: true },
      key(SystemProgram.programId),
    ],
  );
}

/** MemoryClose: the rent goes back to the payer. */
export function memoryClose(payer: PublicKey, id: number): TransactionInstruction {
  const { address, bump } = memoryOf(payer, id);
  return lighthouse(
    [1, id, bump],
    [
      key(PROGRAM),
      { pubkey: payer, isSigner: true, isWritable: true },
      { pubkey: address, isSigner: false, isWritable: true },
    ],
  );
}

/** AssertAccountInfo: the account holds at least this many lamports. */
export function assertLamports(account: PublicKey, least: bigint): TransactionInstruction {
  const data = Buffer.from([5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4]);
  data.writeBigUInt64LE(least, 3);
  return lighthouse([...data], [key(account)]);
}

/** Any instruction of Lighthouse, by its first byte. */
export function lighthouse(
  data: number[],
  keys: TransactionInstruction['keys'],
): TransactionInstruction {
  return new TransactionInstruction({ programId: PROGRAM, keys, data: Buffer.from(data) });
}

export function memoryOf(payer: PublicKey, id: number): { address: PublicKey; bump: number } {
  const seeds = [Buffer.from('memory'), payer.toBytes(), Uint8Array.of(id)];
  const [address, bump] = PublicKey.findProgramAddressSync(seeds, PROGRAM);
  return { address, bump };
}

function key(pubkey: PublicKey): TransactionInstruction['keys'][number] {
  return { pubkey, isSigner: false, isWritable: false };
}
