import bs58 from 'bs58';
import { ATA, MEMO_PROGRAM_IDS, SYSTEM } from '../addresses';
import { isTokenProgram } from '../token-state';
import { parseTokenInstruction, type ParsedInstruction } from './parse-token-instruction';

/**
 * Reads an instruction of the programs that a payment uses: system, both token programs, associated
 * token accounts, memo. Null for others, which nodes print with accounts and data.
 */
export function parseInstruction(
  programId: string,
  accounts: string[],
  data: Uint8Array,
): ParsedInstruction | null {
  const bytes = Buffer.from(data);
  try {
    if (MEMO_PROGRAM_IDS.includes(programId))
      return { program: 'spl-memo', parsed: bytes.toString('utf8') };
    if (programId === ATA) return parseAtaInstruction(accounts, bytes);
    if (programId === SYSTEM) return parseSystemInstruction(accounts, bytes);
    if (isTokenProgram(programId)) return parseTokenInstruction(programId, accounts, bytes);
  } catch (error) {
    // Data shorter than its tag requires: nodes also fall back to the raw form.
    if (!(error instanceof RangeError)) throw error;
  }
  return null;
}

function parseAtaInstruction(a: string[], data: Buffer): ParsedInstruction | null {
  const tag = data.length === 0 ? 0 : data[0];
  if (tag !== 0 && tag !== 1) return null;
  const info = {
    source: a[0],
    account: a[1],
    wallet: a[2],
    mint: a[3],
    systemProgram: a[4],
    tokenProgram: a[5],
    ...(a[6] ? { rentSysvar: a[6] } : {}),
  };
  const type = tag === 0 ? 'create' : 'createIdempotent';
  return { program: 'spl-associated-token-account', parsed: { type, info } };
}

function parseSystemInstruction(a: string[], d: Buffer): ParsedInstruction | null {
  const u64 = (offset: number) => Number(d.readBigUInt64LE(offset));
  const key = (offset: number) => bs58.encode(d.subarray(offset, offset + 32));
  const of = (type: string, info: object) => ({ program: 'system', parsed: { type, info } });
  switch (d.readUInt32LE(0)) {
    case 0:
      return of('createAccount', {
        source: a[0],
        newAccount: a[1],
        lamports: u64(4),
        space: u64(12),
        owner: key(20),
      });
    case 1:
      return of('assign', { account: a[0], owner: key(4) });
    case 2:
      return of('transfer', { source: a[0], destination: a[1], lamports: u64(4) });
    case 4:
      return of('advanceNonce', {
        nonceAccount: a[0],
        recentBlockhashesSysvar: a[1],
        nonceAuthority: a[2],
      });
    case 8:
      return of('allocate', { account: a[0], space: u64(4) });
    default:
      return null;
  }
}
