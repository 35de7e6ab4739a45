import { ASSOCIATED_TOKEN, isMemoProgram, SYSTEM, TOKEN, TOKEN_2022 } from './programs';
import type { Instruction } from './read-instructions';
import type { Action } from './action';

type Info = Readonly<Record<string, unknown>>;

/**
 * The action of an instruction that the node parsed (`jsonParsed`; Agave,
 * transaction-status/src/parse_*.rs). Authority and multisigAuthority are the same to the reader: any
 * extra account after the authority makes a node say "multisig".
 */
export function readParsedAction(instruction: Instruction): Action[] {
  const { programId, parsed } = instruction;
  if (parsed === null) return [];
  if (isMemoProgram(programId))
    return typeof parsed === 'string' ? [{ kind: 'memo', text: parsed }] : [];
  if (typeof parsed === 'string' || !isInfo(parsed.info)) return [];
  const action = readOne(programId, parsed.type, parsed.info);
  return action ? [action] : [];
}

function readOne(programId: string, type: string, info: Info): Action | null {
  if (programId === SYSTEM) return readSystem(type, info);
  if (programId === TOKEN || programId === TOKEN_2022) return readToken(programId, type, info);
  if (programId !== ASSOCIATED_TOKEN) return null;
  const account = text(info, 'account');
  const owner = text(info, 'wallet');
  if (account === null || owner === null || !['create', 'createIdempotent'].includes(type))
    return null;
  const opened = type === 'create';
  return { kind: 'owner-shown', account, owner, mint: text(info, 'mint'), opened };
}

function readSystem(type: string, info: Info): Action | null {
  const lamports = whole(info, 'lamports');
  switch (type) {
    case 'transfer':
    case 'transferWithSeed': {
      const from = text(info, 'source');
      const to = text(info, 'destination');
      if (from === null || to === null || lamports === null) return null;
      return { kind: 'sol-transfer', from, to, lamports, extra: [] };
    }
    case 'withdrawFromNonce': {
      const from = text(info, 'nonceAccount');
      const to = text(info, 'destination');
      if (from === null || to === null || lamports === null) return null;
      return { kind: 'nonce-withdrawn', from, to, lamports };
    }
    case 'createAccount':
    case 'createAccountAllowPrefund':
    case 'createAccountWithSeed': {
      const to = text(info, 'newAccount');
      const from = text(info, 'source') ?? to;
      const bytes = whole(info, 'space') ?? 0n;
      if (from === null || to === null || lamports === null) return null;
      const owner = text(info, 'owner');
      return { kind: 'account-created', from, to, lamports, bytes, owner };
    }
    case 'allocate':
    case 'allocateWithSeed':
    case 'assign':
    case 'assignWithSeed': {
      const account = text(info, 'account');
      return account === null
        ? null
        : {
            kind: 'account-sized',
            account,
            bytes: whole(info, 'space') ?? 0n,
            owner: text(info, 'owner'),
          };
    }
    default:
      return null;
  }
}

function readToken(program: string, type: string, info: Info): Action | null {
  const account = text(info, 'account');
  const mint = text(info, 'mint');
  const amount = whole(info, 'amount') ?? tokenAmount(info);
  switch (type) {
    case 'transfer':
    case 'transferChecked':
    case 'transferCheckedWithFee': {
      const source = text(info, 'source');
      const destination = text(info, 'destination');
      if (source === null || destination === null || amount === null) return null;
      const authority = text(info, 'authority') ?? text(info, 'multisigAuthority');
      const extra = texts(info, 'signers');
      return {
        kind: 'token-transfer',
        program,
        source,
        destination,
        authority,
        mint,
        amount,
        extra,
      };
    }
    case 'initializeAccount':
    case 'initializeAccount2':
    case 'initializeAccount3': {
      const owner = text(info, 'owner');
      return account === null || owner === null
        ? null
        : { kind: 'owner-shown', account, owner, mint, opened: true };
    }
    case 'approve':
    case 'approveChecked': {
      const source = text(info, 'source');
      const owner = text(info, 'owner') ?? text(info, 'multisigOwner');
      if (source === null || owner === null) return null;
      return { kind: 'owner-shown', account: source, owner, mint: null, opened: false };
    }
    case 'mintTo':
    case 'mintToChecked':
      return account && amount !== null ? { kind: 'mint-to', account, mint, amount } : null;
    case 'burn':
    case 'burnChecked':
      return account && amount !== null ? { kind: 'burn', account, mint, amount } : null;
    case 'setAuthority': {
      if (account === null || text(info, 'authorityType') !== 'accountOwner') return null;
      const from = text(info, 'authority') ?? text(info, 'multisigAuthority');
      return { kind: 'owner-changed', account, from, to: text(info, 'newAuthority') };
    }
    case 'initializeMultisig':
    case 'initializeMultisig2': {
      const multisig = text(info, 'multisig');
      return multisig === null ? null : { kind: 'multisig-made', account: multisig };
    }
    case 'closeAccount': {
      const destination = text(info, 'destination');
      return account === null || destination === null
        ? null
        : { kind: 'account-closed', account, destination };
    }
    default:
      return null;
  }
}

function isInfo(value: unknown): value is Info {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function text(info: Info, name: string): string | null {
  const value = info[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

function texts(info: Info, name: string): string[] {
  const value = info[name];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** Lamports come as numbers, token amounts as strings. */
function whole(info: Info, name: string): bigint | null {
  const value = info[name];
  if (typeof value === 'string' && /^\d+$/.test(value)) return BigInt(value);
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? BigInt(value) : null;
}

function tokenAmount(info: Info): bigint | null {
  return isInfo(info.tokenAmount) ? whole(info.tokenAmount, 'amount') : null;
}
