import { createHash, randomBytes } from 'node:crypto';
import { decodeBase58 } from '@quittance/verify/wallets/base58';
import bs58 from 'bs58';
import type { ServiceContext } from '@/server/context';
import type { Db } from '@/server/db/client';
import { ServiceError } from '@/server/errors';
import { trusted } from '@/server/trusted';
import { readSignedText, verifyWalletSignature } from './wallet-signature';

/** A wallet that signed in and whose session is open. Only this module makes one. */
export type SessionWallet = string & { readonly __session: unique symbol };
export type Session = { wallet: SessionWallet; expiresAt: Date };

/** Time for reading and signing the message. */
const NONCE_MS = 600_000;
/** Clocks of wallets differ from ours. */
const CLOCK_SLACK_MS = 60_000;
const SESSION_MS = 12 * 3_600_000;

const STATEMENT = 'Sign in to see the receipts of this wallet. This moves no money.';

type Store = Pick<ServiceContext, 'db' | 'clock' | 'env'>;
/** Origin of the pages that the wallet is asked from, such as `https://receipts.example.com`. */
type Site = { site: string };

/** Opens a sign-in: the text to sign, valid once and for ten minutes. */
export async function beginSignIn(
  { db, clock, env }: Store,
  o: Site & { address: string },
): Promise<{ input: SignInInput; message: string }> {
  const now = clock.now();
  const expiresAt = new Date(now.getTime() + NONCE_MS);
  const nonce = bs58.encode(randomBytes(16));
  await db.signInNonce.create({ data: { nonce, expiresAt } });
  const input: SignInInput = {
    domain: new URL(o.site).host,
    address: o.address,
    statement: STATEMENT,
    uri: o.site,
    version: '1',
    chainId: env.network === 'devnet' ? 'devnet' : 'mainnet',
    nonce,
    issuedAt: now.toISOString(),
    expirationTime: expiresAt.toISOString(),
  };
  return { input, message: writeSignInMessage(input) };
}

/**
 * Opens a session for the wallet that signed, and returns its token, of which only the hash is
 * kept. Throws `sign_in_invalid` when the message is not one of ours for this site, was used or has
 * expired. Also when the signature is not by the wallet it names.
 */
export async function completeSignIn(
  { db, clock, env }: Store,
  o: Site & { address: string; signedMessage: Uint8Array; signature: string },
): Promise<Session & { token: string }> {
  const now = clock.now();
  const wallet = decodeBase58(o.address, 32);
  const text = wallet && readSignedText(o.signedMessage, wallet);
  const message = text === null ? null : parseSignInMessage(text);
  if (text === null || !message) throw refuse('it is not a sign-in message');
  const fault = faultOf(message, { ...o, now, network: env.network });
  if (fault !== null) throw refuse(fault);
  if (!verifyWalletSignature({ wallet: o.address, signature: o.signature, text }))
    throw refuse('the signature is not by this wallet over this message');
  const { count } = await db.signInNonce.updateMany({
    where: { nonce: message.fields.get('Nonce') ?? '', usedAt: null, expiresAt: { gt: now } },
    data: { usedAt: now },
  });
  if (count !== 1) throw refuse('it was used before, or this service did not issue it');
  const token = randomBytes(32).toString('base64url');
  const expiresAt = new Date(now.getTime() + SESSION_MS);
  await db.session.create({
    data: { tokenSha256: hashOf(token), wallet: o.address, createdAt: now, expiresAt },
  });
  return { wallet: proven(o.address), expiresAt, token };
}

/** The open session of a token, or null. */
export async function findSession(
  { db, clock }: Pick<ServiceContext, 'db' | 'clock'>,
  token: string,
): Promise<Session | null> {
  const row = await db.session.findUnique({ where: { tokenSha256: hashOf(token) } });
  if (!row || row.expiresAt <= clock.now()) return null;
  return { wallet: proven(row.wallet), expiresAt: row.expiresAt };
}

export async function endSession(db: ServiceContext['db'], token: string): Promise<void> {
  await db.session.deleteMany({ where: { tokenSha256: hashOf(token) } });
}

function faultOf(
  message: SignInFields,
  o: Site & { address: string; now: Date; network: string },
): string | null {
  const { fields } = message;
  const time = (name: string) => Date.parse(fields.get(name) ?? '');
  const now = o.now.getTime();
  if (message.domain !== new URL(o.site).host) return 'it is for another domain';
  if (message.address !== o.address) return 'it names another wallet';
  if (message.statement !== STATEMENT) return 'its statement is not ours';
  if (fields.get('URI') !== o.site) return 'it is for another URI';
  if (fields.get('Version') !== '1') return 'it is of another version';
  const chain = o.network === 'devnet' ? 'devnet' : 'mainnet';
  if (fields.get('Chain ID') !== chain) return 'it is for another chain';
  if (!(time('Issued At') <= now + CLOCK_SLACK_MS)) return 'it was issued in the future';
  if (!(time('Expiration Time') > now)) return 'it has expired';
  if (fields.has('Not Before') && !(time('Not Before') <= now)) return 'it is not valid yet';
  return null;
}

function refuse(why: string): ServiceError {
  return new ServiceError(
    'sign_in_invalid',
    `The sign-in was not accepted: ${why}. Sign in again.`,
  );
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

function proven(wallet: string): SessionWallet {
  return trusted<SessionWallet>(wallet, 'called only for a wallet whose signature was verified');
}

/** The text that a wallet shows and signs for Sign-In With Solana. The service chooses all of it. */
export type SignInInput = {
  domain: string;
  address: string;
  statement: string;
  uri: string;
  version: '1';
  chainId: string;
  nonce: string;
  issuedAt: string;
  expirationTime: string;
};

export type SignInFields = {
  domain: string;
  address: string;
  statement: string | null;
  /** Values by name (`URI`, `Nonce`, …), each at most once. */
  fields: ReadonlyMap<string, string>;
};

/** Fields of the message in their order, and the name of each in the input. */
const FIELDS = [
  ['URI', 'uri'],
  ['Version', 'version'],
  ['Chain ID', 'chainId'],
  ['Nonce', 'nonce'],
  ['Issued At', 'issuedAt'],
  ['Expiration Time', 'expirationTime'],
] as const;
/** Further ones that a wallet may add (phantom/sign-in-with-solana, ABNF). */
const OTHER_FIELDS = ['Not Before', 'Request ID'];
const NAMES: readonly string[] = [...FIELDS.map(([name]) => name), ...OTHER_FIELDS];

/** The message as wallets with `signIn` write it, for those that can only sign text. */
function writeSignInMessage(input: SignInInput): string {
  return [
    `${input.domain} wants you to sign in with your Solana account:`,
    input.address,
    '',
    input.statement,
    '',
    ...FIELDS.map(([name, key]) => `${name}: ${input[key]}`),
  ].join('\n');
}

/** Parses a message; null if it does not have exactly this form. Resources are skipped. */
export function parseSignInMessage(text: string): SignInFields | null {
  const [first = '', address = '', blank, ...rest] = text.split('\n');
  const domain = /^(\S+) wants you to sign in with your Solana account:$/.exec(first)?.[1];
  if (domain === undefined || blank !== '') return null;
  const hasStatement = rest[1] === '';
  const statement = hasStatement ? (rest[0] ?? null) : null;
  const lines = hasStatement ? rest.slice(2) : rest;
  const end = lines.indexOf('Resources:');
  if (end >= 0 && !lines.slice(end + 1).every((line) => line.startsWith('- '))) return null;
  const fields = new Map<string, string>();
  for (const line of end < 0 ? lines : lines.slice(0, end)) {
    const name = NAMES.find((known) => line.startsWith(`${known}: `));
    if (name === undefined || fields.has(name)) return null;
    fields.set(name, line.slice(name.length + 2));
  }
  return { domain, address, statement, fields };
}

/** Notes that a signed text was used; false if it was used before. Kept until `expiresAt`. */
export async function takeOnce(db: Db, o: { text: string; expiresAt: Date }): Promise<boolean> {
  const textSha256 = createHash('sha256').update(o.text).digest('hex');
  const { count } = await db.usedProof.createMany({
    data: [{ textSha256, expiresAt: o.expiresAt }],
    skipDuplicates: true,
  });
  return count === 1;
}

/** Deletes expired nonces, sessions and used texts. */
export async function deleteExpired(db: Db, now: Date): Promise<void> {
  const expired = { where: { expiresAt: { lte: now } } };
  await db.signInNonce.deleteMany(expired);
  await db.session.deleteMany(expired);
  await db.usedProof.deleteMany(expired);
}
