import bs58 from 'bs58';
import { z } from 'zod';
import { TOKEN, TOKEN22 } from '../addresses';
import { encodeAccount, type AccountEncoding } from '../encode/encode-account';
import type { Acct } from '../emulator';
import { invalidParams, RpcError } from '../rpc-error';
import { readMint, readTokenAccount, uiAmount } from '../token-state';
import type { ChainNode } from './node';
import { address, config, optional, parseParams, type Methods } from './params';

const encoding = z.enum(['binary', 'base58', 'base64', 'base64+zstd', 'jsonParsed']);
const accountConfig = config.extend({
  encoding: encoding.nullish(),
  dataSlice: z
    .object({ offset: z.number().int().nonnegative(), length: z.number().int().nonnegative() })
    .nullish()
    .transform((value) => value ?? undefined),
});
type AccountConfig = z.infer<typeof accountConfig>;

const filter = z.union([
  z.object({ dataSize: z.number().int() }),
  z.object({
    memcmp: z.object({
      offset: z.number().int().nonnegative(),
      bytes: z.string(),
      encoding: z.enum(['base58', 'base64']).nullish(),
    }),
  }),
]);
const programConfig = accountConfig.extend({
  filters: z.array(filter).max(4).nullish(),
  withContext: z.boolean().nullish(),
});
const tokenFilter = z.union([z.object({ mint: address }), z.object({ programId: address })]);

/** More addresses than this are refused. */
const MAX_ADDRESSES = 100;

/** Accounts, balances and tokens. */
export const accountMethods: Methods = {
  getBalance(params, node) {
    const [key, o] = parseParams(params, address, optional(config));
    node.requireContextSlot(o);
    return node.context(o.commitment, Number(node.account(key, o.commitment)?.lamports ?? 0n));
  },

  getAccountInfo(params, node) {
    const [key, o] = parseParams(params, address, optional(accountConfig));
    node.requireContextSlot(o);
    return node.context(o.commitment, print(node, node.account(key, o.commitment), o));
  },

  getMultipleAccounts(params, node) {
    const [keys, o] = parseParams(params, z.array(address), optional(accountConfig));
    node.requireContextSlot(o);
    if (keys.length > MAX_ADDRESSES)
      throw invalidParams(`Too many inputs provided; max ${MAX_ADDRESSES}`);
    const printed = keys.map((key) => print(node, node.account(key, o.commitment), o, 'base64'));
    return node.context(o.commitment, printed);
  },

  getProgramAccounts(params, node) {
    const [program, o] = parseParams(params, address, optional(programConfig));
    node.requireContextSlot(o);
    const found = ownedBy(node, program, o)
      .filter(({ account }) => (o.filters ?? []).every((f) => passes(account, f)))
      .map(({ pubkey, account }) => ({ account: print(node, account, o), pubkey }));
    return o.withContext ? node.context(o.commitment, found) : found;
  },

  getTokenAccountsByOwner: (params, node) =>
    tokenAccounts(params, node, (token, key) => token.owner === key),
  getTokenAccountsByDelegate: (params, node) =>
    tokenAccounts(params, node, (token, key) => token.delegate === key),

  getTokenAccountBalance(params, node) {
    const [key, o] = parseParams(params, address, optional(config));
    const account = node.account(key, o.commitment);
    if (!account) throw invalidParams('Invalid param: could not find account');
    const token = readTokenAccount(account);
    if (!token) throw invalidParams('Invalid param: not a Token account');
    const decimals = readMint(node.account(token.mint, o.commitment))?.decimals ?? 0;
    return node.context(o.commitment, uiAmount(token.amount, decimals));
  },

  getTokenSupply(params, node) {
    const [key, o] = parseParams(params, address, optional(config));
    const account = node.account(key, o.commitment);
    if (!account) throw invalidParams('Invalid param: could not find account');
    const mint = readMint(account);
    if (!mint) throw invalidParams('Invalid param: not a Token mint');
    return node.context(o.commitment, uiAmount(mint.supply, mint.decimals));
  },
};

function tokenAccounts(
  params: unknown,
  node: ChainNode,
  matches: (token: NonNullable<ReturnType<typeof readTokenAccount>>, key: string) => boolean,
) {
  const [key, by, o] = parseParams(params, address, tokenFilter, optional(accountConfig));
  node.requireContextSlot(o);
  if ('mint' in by && !readMint(node.account(by.mint, o.commitment)))
    throw invalidParams('Invalid param: could not find mint');
  if ('programId' in by && by.programId !== TOKEN && by.programId !== TOKEN22)
    throw invalidParams('Invalid param: unrecognized Token program id');
  const programs = 'programId' in by ? [by.programId] : [TOKEN, TOKEN22];
  const found = programs
    .flatMap((program) => ownedBy(node, program, o))
    .filter(({ account }) => {
      const token = readTokenAccount(account);
      if (!token || !matches(token, key)) return false;
      return 'programId' in by || token.mint === by.mint;
    })
    .map(({ pubkey, account }) => ({ account: print(node, account, o), pubkey }));
  return node.context(o.commitment, found);
}

/** Accounts of a program at the commitment. An account that has closed since is left out. */
function ownedBy(node: ChainNode, program: string, o: AccountConfig) {
  return node.chain.accounts.ownedBy(program).flatMap((pubkey) => {
    const account = node.account(pubkey, o.commitment);
    return account?.owner === program ? [{ pubkey, account }] : [];
  });
}

function passes(account: Acct, f: z.infer<typeof filter>): boolean {
  if ('dataSize' in f) return account.data.length === f.dataSize;
  const { offset, bytes, encoding: form } = f.memcmp;
  const wanted = form === 'base64' ? Buffer.from(bytes, 'base64') : bs58.decodeUnsafe(bytes);
  if (!wanted) throw new RpcError(-32602, 'Invalid param: invalid base58 in memcmp');
  const there = account.data.subarray(offset, offset + wanted.length);
  return Buffer.compare(there, wanted) === 0;
}

function print(
  node: ChainNode,
  account: Acct | null,
  o: AccountConfig,
  byDefault: AccountEncoding = 'binary',
) {
  return encodeAccount(
    account,
    { encoding: o.encoding ?? byDefault, dataSlice: o.dataSlice },
    (key) => node.account(key, o.commitment),
  );
}
