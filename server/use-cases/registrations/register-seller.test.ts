import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeWallet, type Wallet } from '@/devnet/client/wallet';
import { findRegistration } from '@/server/registrations/registrations';
import { keyOfRequest } from '@/server/payments/quotes';
import { trusted } from '@/server/trusted';
import { createTestDatabase, type TestDatabase } from '@/tests/harness/create-test-database';
import type { Anyone, Call } from '../call';
import { requireTimedProof } from '../prove-wallet';
import {
  registerSeller,
  registrationText,
  unregisterSeller,
  unregistrationText,
} from './register-seller';

const NOW = new Date('2026-11-28T12:00:00.000Z');
const NAME = 'quittance';
const TEXTS = { business_name: 'Bakery', country: 'DE', service_type: 'Bread' };

let database: TestDatabase;
let now = NOW;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => {
  now = NOW;
});

type Signed = Omit<Call<unknown, Anyone>, 'input'> & { walletTime: string };

/** A request with wallet headers, the text signed by `by`. */
function signed(o: { wallet: Wallet; text: string; time?: string; by?: Wallet }): Signed {
  const { wallet, text, time = now.toISOString(), by = wallet } = o;
  return trusted<Signed>(
    {
      service: {
        env: { serviceName: NAME },
        db: database.prisma,
        clock: { now: () => now },
        rpc: { getSlot: () => Promise.resolve(5n) },
      },
      actor: {
        kind: 'anyone',
        proof: { address: wallet.address, signature: by.signText(text) },
      },
      walletTime: time,
    },
    'all that a registration reads of it',
  );
}
const ending = (wallet: Wallet, time = now.toISOString()) =>
  `${NAME}:unregister:${wallet.address}:${time}`;
const beginning = (wallet: Wallet, texts = TEXTS, named = wallet) => {
  const body = { wallet_address: named.address, ...texts };
  const { bodySha256 } = keyOfRequest({ method: 'POST', path: '/register', body });
  return `${NAME}:register:${wallet.address}:${bodySha256}:${now.toISOString()}`;
};
const register = async ({ service, actor, walletTime }: Signed, wallet: Wallet) => {
  const field = (sent: string) => ({ sent, text: sent });
  const input = {
    wallet_address: wallet.address,
    business_name: field(TEXTS.business_name),
    country: field(TEXTS.country),
    service_type: field(TEXTS.service_type),
  };
  const proven = await requireTimedProof({ service, actor }, walletTime, (by) =>
    registrationText(NAME, input, by),
  );
  return registerSeller({ service, input, actor: { ...actor, kind: 'wallet', wallet: proven } });
};
const unregister = async ({ service, actor, walletTime }: Signed) => {
  const proven = await requireTimedProof({ service, actor }, walletTime, (by) =>
    unregistrationText(NAME, by),
  );
  return unregisterSeller({
    service,
    input: null,
    actor: { ...actor, kind: 'wallet', wallet: proven },
  });
};
async function registered(): Promise<Wallet> {
  const wallet = makeWallet();
  await register(signed({ wallet, text: beginning(wallet) }), wallet);
  return wallet;
}
const isOpen = async ({ address }: Wallet) =>
  (await findRegistration(database.prisma, address)) !== null;

describe('the end of a registration', () => {
  it('is for the wallet that signs it', async () => {
    const [wallet, other] = [await registered(), await registered()];
    expect(await unregister(signed({ wallet, text: ending(wallet) }))).toMatchObject({
      wallet_address: wallet.address,
      auto_receipts: false,
    });
    expect([await isOpen(wallet), await isOpen(other)]).toEqual([false, true]);
  });

  it('is refused without its own proof, and the registration goes on', async () => {
    const [wallet, thief] = [await registered(), await registered()];
    const refused = async (request: Signed, code: string) =>
      expect(unregister(request)).rejects.toMatchObject({ code });
    const text = ending(wallet);
    await refused(signed({ wallet, text, by: thief }), 'wallet_proof_invalid');
    await refused(signed({ wallet, text: ending(thief), by: thief }), 'wallet_proof_invalid');
    await refused(signed({ wallet, text: beginning(wallet) }), 'wallet_proof_invalid');
    const other = new Date(now.getTime() + 1).toISOString();
    await refused(signed({ wallet, text, time: other }), 'wallet_proof_invalid');
    const shown = signed({ wallet, text });
    const bare = {
      ...shown,
      actor: { ...shown.actor, proof: { address: null, signature: null } },
    };
    await refused(bare, 'wallet_proof_missing');
    expect(await isOpen(wallet)).toBe(true);
  });

  it('counts once: a copy of it does not end a later registration', async () => {
    const wallet = await registered();
    const end = signed({ wallet, text: ending(wallet) });
    await unregister(end);
    now = new Date(NOW.getTime() + 1_000);
    await register(signed({ wallet, text: beginning(wallet) }), wallet);
    await expect(unregister(end)).rejects.toMatchObject({ code: 'proof_time_wrong' });
    expect(await isOpen(wallet)).toBe(true);
  });

  it.each([600_001, -600_001])('is refused when its time is %d ms off', async (ms) => {
    const wallet = await registered();
    const time = new Date(now.getTime() + ms).toISOString();
    const end = signed({ wallet, text: ending(wallet, time), time });
    await expect(unregister(end)).rejects.toMatchObject({ code: 'proof_time_wrong' });
    expect(await isOpen(wallet)).toBe(true);
  });
});

describe('a registration', () => {
  it('is refused when the wallet signed other texts than are sent, or is another one', async () => {
    const [wallet, other] = [makeWallet(), makeWallet()];
    const changed = beginning(wallet, { ...TEXTS, business_name: 'Bank' });
    await expect(register(signed({ wallet, text: changed }), wallet)).rejects.toMatchObject({
      code: 'wallet_proof_invalid',
    });
    // The proof of one wallet, over a body that names another.
    const foreign = signed({ wallet: other, text: beginning(other, TEXTS, wallet) });
    await expect(register(foreign, wallet)).rejects.toMatchObject({ code: 'wallet_proof_invalid' });
    expect([await isOpen(wallet), await isOpen(other)]).toEqual([false, false]);
  });
});
