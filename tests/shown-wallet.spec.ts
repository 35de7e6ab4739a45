import { beforeAll, describe, expect, it } from 'vitest';
import { makeWallet } from '@/devnet/client/wallet';
import { sharedService } from './harness/shared-service';
import { signIn, type Browser } from './harness/use-dashboard';

let browser: Browser;
const [own, other] = [makeWallet(), makeWallet()];
beforeAll(async () => {
  browser = await signIn(await sharedService(), own);
});

const PERIOD = { first_day: '2026-01-01', last_day: '2026-12-31' };
const SIDE = { ...PERIOD, role: 'seller' };
const NOTE = { receipt_id: '000000000000', label: 'mine' };
const { receipt_id } = NOTE;

/** A page in one tab may show a wallet, while another tab signed in with another one. */
describe('a call of the dashboard for another wallet than the one that is signed in', () => {
  it.each<[string, 'query' | 'mutate', object]>([
    ['rows', 'query', SIDE],
    ['totals', 'query', SIDE],
    ['countries', 'query', PERIOD],
    ['attention', 'query', {}],
    ['registration', 'query', {}],
    ['setLabel', 'mutate', NOTE],
    ['retry', 'mutate', { receipt_id }],
  ])('is refused: %s', async (name, how, input) => {
    const call = (wallet: string) => browser[how](`dashboard.${name}`, { ...input, wallet });
    await expect(call(other.address)).rejects.toThrow('not_signed_in');
    const answer = await call(own.address).catch(({ message }: Error) => message);
    expect(answer).not.toBe('not_signed_in');
    const nameless = browser[how](`dashboard.${name}`, { ...input, wallet: undefined });
    await expect(nameless).rejects.toThrow('invalid_request');
  });

  it('is refused: the CSV, which needs no name', async () => {
    const statusFor = async (asked: object) => {
      const query = new URLSearchParams({ ...SIDE, ...asked }).toString();
      return (await browser.get(`/dashboard/receipts.csv?${query}`)).status;
    };
    expect(await statusFor({ wallet: other.address })).toBe(401);
    expect(await statusFor({ wallet: own.address })).toBe(200);
    expect(await statusFor({})).toBe(200);
  });
});
