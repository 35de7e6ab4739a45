import bs58 from 'bs58';
import { TOKEN } from '../addresses';
import { uiAmount } from '../token-state';

/** An instruction as `jsonParsed` prints it, for programs that nodes know. */
export type ParsedInstruction = { program: string; parsed: unknown };

/** Names of the AuthorityType enum of the token programs. */
export const AUTHORITY_TYPES = ['mintTokens', 'freezeAccount', 'accountOwner', 'closeAccount'];
/** The only extension that the associated token program passes to GetAccountDataSize. */
export const IMMUTABLE_OWNER = 7;

/**
 * Reads an instruction of the token programs that moves tokens, or makes, closes or changes an
 * account. Null for others.
 */
export function parseTokenInstruction(
  programId: string,
  a: string[],
  d: Buffer,
): ParsedInstruction | null {
  const program = programId === TOKEN ? 'spl-token' : 'spl-token-2022';
  const parsed = parseTag(a, d);
  return parsed && { program, parsed };
}

function parseTag(a: string[], d: Buffer): { type: string; info: object } | null {
  const amount = () => d.readBigUInt64LE(1);
  const uiOf = () => uiAmount(amount(), d.readUInt8(9));
  const of = (type: string, info: object) => ({ type, info });
  switch (d.readUInt8(0)) {
    case 0:
    case 20:
      return of(d[0] === 0 ? 'initializeMint' : 'initializeMint2', {
        mint: a[0],
        decimals: d.readUInt8(1),
        mintAuthority: key(d, 2),
        ...(d[34] ? { freezeAuthority: key(d, 35) } : {}),
        ...(d[0] === 0 ? { rentSysvar: a[1] } : {}),
      });
    case 1:
      return of('initializeAccount', { account: a[0], mint: a[1], owner: a[2], rentSysvar: a[3] });
    case 3:
      return of('transfer', {
        source: a[0],
        destination: a[1],
        amount: amount().toString(),
        ...signers(a, 2, 'authority'),
      });
    case 4:
      return of('approve', {
        source: a[0],
        delegate: a[1],
        amount: amount().toString(),
        ...signers(a, 2, 'owner'),
      });
    case 5:
      return of('revoke', { source: a[0], ...signers(a, 1, 'owner') });
    case 6: {
      const authorityType = AUTHORITY_TYPES[d.readUInt8(1)];
      if (!authorityType) return null;
      const owned = authorityType === 'accountOwner' || authorityType === 'closeAccount';
      return of('setAuthority', {
        [owned ? 'account' : 'mint']: a[0],
        authorityType,
        newAuthority: d[2] ? key(d, 3) : null,
        ...signers(a, 1, 'authority'),
      });
    }
    case 7:
    case 8: {
      const isMint = d[0] === 7;
      return of(isMint ? 'mintTo' : 'burn', {
        mint: isMint ? a[0] : a[1],
        account: isMint ? a[1] : a[0],
        amount: amount().toString(),
        ...signers(a, 2, isMint ? 'mintAuthority' : 'authority'),
      });
    }
    case 9:
      return of('closeAccount', { account: a[0], destination: a[1], ...signers(a, 2, 'owner') });
    case 12:
      return of('transferChecked', {
        source: a[0],
        mint: a[1],
        destination: a[2],
        tokenAmount: uiOf(),
        ...signers(a, 3, 'authority'),
      });
    case 14:
    case 15: {
      const isMint = d[0] === 14;
      return of(isMint ? 'mintToChecked' : 'burnChecked', {
        mint: isMint ? a[0] : a[1],
        account: isMint ? a[1] : a[0],
        tokenAmount: uiOf(),
        ...signers(a, 2, isMint ? 'mintAuthority' : 'authority'),
      });
    }
    case 17:
      return of('syncNative', { account: a[0] });
    case 18:
      return of('initializeAccount3', { account: a[0], mint: a[1], owner: key(d, 1) });
    case 21:
      if (d.length !== 3 || d.readUInt16LE(1) !== IMMUTABLE_OWNER) return null;
      return of('getAccountDataSize', { mint: a[0], extensionTypes: ['immutableOwner'] });
    case 22:
      return of('initializeImmutableOwner', { account: a[0] });
    case 26:
      return parseTransferFee(a, d);
    default:
      return null;
  }
}

/** TransferFeeExtension: only the transfer itself moves tokens. */
function parseTransferFee(a: string[], d: Buffer): { type: string; info: object } | null {
  if (d.readUInt8(1) !== 1) return null;
  const decimals = d.readUInt8(10);
  return {
    type: 'transferCheckedWithFee',
    info: {
      source: a[0],
      mint: a[1],
      destination: a[2],
      tokenAmount: uiAmount(d.readBigUInt64LE(2), decimals),
      feeAmount: uiAmount(d.readBigUInt64LE(11), decimals),
      ...signers(a, 3, 'authority'),
    },
  };
}

/** Nodes call any account after the authority a multisig signer, even when it is not. */
function signers(accounts: string[], from: number, name: string): object {
  if (accounts.length <= from + 1) return { [name]: accounts[from] };
  const multisig = `multisig${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return { [multisig]: accounts[from], signers: accounts.slice(from + 1) };
}

function key(data: Buffer, offset: number): string {
  return bs58.encode(data.subarray(offset, offset + 32));
}
