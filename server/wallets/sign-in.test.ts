import { sign } from 'node:crypto';
import bs58 from 'bs58';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeWallet } from '@/devnet/client/wallet';
import { ed25519PrivateKey } from '@quittance/verify/ed25519';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import { offChainForms, readSignedText } from './wallet-signature';
import { beginSignIn, completeSignIn, findSession, parseSignInMessage, takeOnce } from './sign-in';

const SITE = 'https://receipts.example';
let database: TestDatabase;
let now = new Date('2026-11-28T12:00:00Z');
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const store = () => ({
  db: database.prisma,
  clock: { now: () => now },
  env: { network: 'mainnet' as const },
});
type Store = Parameters<typeof beginSignIn>[0];
const storeOf = () => store() as unknown as Store;
const wallet = makeWallet();
const key = ed25519PrivateKey(wallet.keypair.secretKey);
const signBytes = (bytes: Uint8Array) => bs58.encode(sign(null, bytes, key));

describe('a sign-in', () => {
  it('is accepted in every form in which wallets sign it, hardware wallets too', async () => {
    const forms = offChainForms('x', bs58.decode(wallet.address)).length;
    for (let form = -1; form < forms; form += 1) {
      const { message } = await beginSignIn(storeOf(), { site: SITE, address: wallet.address });
      const text = Buffer.from(message);
      const bytes =
        form < 0 ? text : (offChainForms(message, bs58.decode(wallet.address))[form] ?? text);
      const session = await completeSignIn(storeOf(), {
        site: SITE,
        address: wallet.address,
        signedMessage: bytes,
        signature: signBytes(bytes),
      });
      expect((await findSession(storeOf(), session.token))?.wallet).toBe(wallet.address);
    }
  });

  it('is good once, and for the site, the wallet and the nonce that it was given for', async () => {
    const { message } = await beginSignIn(storeOf(), { site: SITE, address: wallet.address });
    const complete = (text: string, o: { site?: string; address?: string } = {}) =>
      completeSignIn(storeOf(), {
        site: SITE,
        address: wallet.address,
        ...o,
        signedMessage: Buffer.from(text),
        signature: wallet.signText(text),
      });
    const other = makeWallet().address;
    const evil = message.replace('receipts.example wants', 'evil.example wants');
    await expect(complete(evil)).rejects.toThrow('it is for another domain');
    const elsewhere = message.replace(`URI: ${SITE}`, 'URI: https://evil.example');
    await expect(complete(elsewhere)).rejects.toThrow('it is for another URI');
    await expect(complete(message, { address: other })).rejects.toThrow('it names another wallet');
    const forged = message.replace(wallet.address, other);
    await expect(complete(forged, { address: other })).rejects.toThrow('not by this wallet');
    const unknown = message.replace(/Nonce: .*/, 'Nonce: 1111111111111111');
    await expect(complete(unknown)).rejects.toThrow('this service did not issue it');
    await complete(message);
    await expect(complete(message)).rejects.toThrow('it was used before');
  });

  it('is refused with any line other than it was given, though its wallet signed it so', async () => {
    const { message } = await beginSignIn(storeOf(), { site: SITE, address: wallet.address });
    const complete = (text: string) =>
      completeSignIn(storeOf(), {
        site: SITE,
        address: wallet.address,
        signedMessage: Buffer.from(text),
        signature: wallet.signText(text),
      });
    const after = (ms: number) => new Date(now.getTime() + ms).toISOString();
    for (const [pattern, line, why] of [
      [/\nSign in to see .*/, '\nGive all tokens away.', 'its statement is not ours'],
      [/\nVersion: .*/, '\nVersion: 2', 'it is of another version'],
      [/\nChain ID: .*/, '\nChain ID: devnet', 'it is for another chain'],
      [/\nIssued At: .*/, `\nIssued At: ${after(61_000)}`, 'it was issued in the future'],
      [/$/, `\nNot Before: ${after(1_000)}`, 'it is not valid yet'],
    ] as const)
      await expect(complete(message.replace(pattern, line)), line).rejects.toThrow(why);
    // A wallet may say that its message lives longer, and the nonce does not.
    const longer = message.replace(/Expiration Time: .*/, `Expiration Time: ${after(3_600_000)}`);
    const begun = now;
    now = new Date(begun.getTime() + 600_000);
    await expect(complete(longer)).rejects.toThrow('this service did not issue it');
    now = begun;
    await complete(longer);
  });

  it('ends with its message after ten minutes, and the session after its hours', async () => {
    const { message } = await beginSignIn(storeOf(), { site: SITE, address: wallet.address });
    const signed = {
      site: SITE,
      address: wallet.address,
      signedMessage: Buffer.from(message),
      signature: wallet.signText(message),
    };
    const begun = now;
    now = new Date(begun.getTime() + 600_000);
    await expect(completeSignIn(storeOf(), signed)).rejects.toThrow('it has expired');
    now = new Date(begun.getTime() + 599_000);
    const { token, expiresAt } = await completeSignIn(storeOf(), signed);
    now = new Date(expiresAt.getTime() - 1);
    expect(await findSession(storeOf(), token)).not.toBeNull();
    now = expiresAt;
    expect(await findSession(storeOf(), token)).toBeNull();
    const stored = await database.prisma.session.findMany();
    expect(JSON.stringify(stored)).not.toContain(token);
  });
});

describe('a sign-in message', () => {
  const lines = ['a.example wants you to sign in with your Solana account:', 'W', '', 'S', ''];
  const text = [...lines, 'URI: https://a.example', 'Nonce: n'].join('\n');

  it('is taken apart', () => {
    const message = parseSignInMessage(text);
    expect(message).toMatchObject({ domain: 'a.example', address: 'W', statement: 'S' });
    expect(message?.fields.get('Nonce')).toBe('n');
  });

  it.each([
    ['a field twice', `${text}\nNonce: other`],
    ['an unknown line', `${text}\nAnything: else`],
    ['no blank line', text.replace('W\n\n', 'W\n')],
    ['two statements', text.replace('S\n\n', 'S\nT\n\n')],
    ['nothing', ''],
  ])('with %s is none', (_, wrong) => {
    expect(parseSignInMessage(wrong)).toBeNull();
  });

  it('is not read out of an envelope for another signer', () => {
    const other = bs58.decode(makeWallet().address);
    const [full] = offChainForms('hello', other);
    expect(readSignedText(full ?? new Uint8Array(), bs58.decode(wallet.address))).toBeNull();
    expect(readSignedText(full ?? new Uint8Array(), other)).toBe('hello');
  });
});

it('a text is used once, by one of many at the same time', async () => {
  const uses = await Promise.all(
    Array.from({ length: 8 }, () =>
      takeOnce(database.prisma, { text: 'once', expiresAt: new Date(now.getTime() + 1_000) }),
    ),
  );
  expect(uses.filter(Boolean)).toHaveLength(1);
});
