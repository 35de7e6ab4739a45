import bs58 from 'bs58';
import { TOKEN } from '../addresses';
import type { Acct } from '../emulator';
import { invalidParams, RpcError } from '../rpc-error';
import { readMint, readTokenAccount, uiAmount } from '../token-state';

export type AccountEncoding = 'binary' | 'base58' | 'base64' | 'base64+zstd' | 'jsonParsed';
type DataSlice = { offset: number; length: number };

/** Nodes refuse to print more bytes than this in base58. */
const MAX_BASE58_BYTES = 128;

/** An account as `getAccountInfo` prints it. `read` finds the mint of a token account. */
export function encodeAccount(
  account: Acct | null,
  o: { encoding: AccountEncoding; dataSlice?: DataSlice | undefined },
  read: (address: string) => Acct | null,
) {
  if (!account) return null;
  return {
    data: encodeData(account, o, read),
    executable: account.executable,
    lamports: Number(account.lamports),
    owner: account.owner,
    rentEpoch: 0,
    space: account.data.length,
  };
}

function encodeData(
  account: Acct,
  o: { encoding: AccountEncoding; dataSlice?: DataSlice | undefined },
  read: (address: string) => Acct | null,
): unknown {
  const parsed = o.encoding === 'jsonParsed' ? parseData(account, read) : null;
  if (parsed) return parsed;
  const { data } = account;
  const slice = o.dataSlice
    ? data.slice(o.dataSlice.offset, o.dataSlice.offset + o.dataSlice.length)
    : data;
  if (o.encoding === 'base64+zstd') throw invalidParams('base64+zstd is not served here');
  if (o.encoding !== 'binary' && o.encoding !== 'base58')
    return [Buffer.from(slice).toString('base64'), 'base64'];
  if (slice.length > MAX_BASE58_BYTES)
    throw new RpcError(
      -32600,
      `Encoded binary (base 58) data should be less than ${MAX_BASE58_BYTES} bytes, please use Base64 encoding.`,
    );
  const text = bs58.encode(slice);
  return o.encoding === 'binary' ? text : [text, 'base58'];
}

function parseData(account: Acct, read: (address: string) => Acct | null): object | null {
  const program = account.owner === TOKEN ? 'spl-token' : 'spl-token-2022';
  const space = account.data.length;
  const token = readTokenAccount(account);
  if (token) {
    const decimals = readMint(read(token.mint))?.decimals;
    if (decimals === undefined) return null;
    const info = {
      ...(token.closeAuthority ? { closeAuthority: token.closeAuthority } : {}),
      ...(token.delegate
        ? {
            delegate: token.delegate,
            delegatedAmount: uiAmount(token.delegatedAmount, decimals),
          }
        : {}),
      isNative: token.nativeReserve !== null,
      mint: token.mint,
      owner: token.owner,
      ...(token.nativeReserve !== null
        ? { rentExemptReserve: uiAmount(token.nativeReserve, decimals) }
        : {}),
      state: token.state,
      tokenAmount: uiAmount(token.amount, decimals),
    };
    return { program, parsed: { info, type: 'account' }, space };
  }
  const mint = readMint(account);
  if (!mint) return null;
  const { decimals, freezeAuthority, isInitialized, mintAuthority } = mint;
  const supply = mint.supply.toString();
  const info = { decimals, freezeAuthority, isInitialized, mintAuthority, supply };
  return { program, parsed: { info, type: 'mint' }, space };
}
