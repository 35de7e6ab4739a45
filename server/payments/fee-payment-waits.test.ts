import { expect, it } from 'vitest';
import { awaitFeePayment, type FeeReading } from './read-fee-payment';

const ABSENT: FeeReading = { state: 'absent' };
const REFUSED: FeeReading = {
  state: 'refused',
  code: 'payment_invalid',
  detail: 'it failed',
};

/** Waits for a payment of this client until it is let go; how often it has been looked for. */
function wait(client: string) {
  let looks = 0;
  let isThere = false;
  const done = awaitFeePayment({
    client,
    look: async () => {
      looks += 1;
      return isThere ? REFUSED : ABSENT;
    },
  });
  return {
    done,
    looks: () => looks,
    letGo: () => {
      isThere = true;
      return done;
    },
  };
}

it.each([
  ['one IPv6 network', '2001:db8:1:2::1', '2001:DB8:1:2::2', '2001:db8:1:2:ffff::3'],
  ['one IPv4 address, however it is written', '1.2.3.4', '::ffff:1.2.3.4', '::ffff:102:304'],
])(
  'two payments at once are waited for from %s, a third is looked for once',
  async (_, a, b, c) => {
    const [first, second] = [wait(a), wait(b)];
    await expect.poll(() => second.looks()).toBeGreaterThanOrEqual(1);
    const third = wait(c);
    expect(await third.done).toEqual(ABSENT);
    expect(third.looks()).toBe(1);
    const other = wait('198.51.100.9');
    expect(await Promise.all([first, second, other].map((one) => one.letGo()))).toEqual([
      REFUSED,
      REFUSED,
      REFUSED,
    ]);
  },
);
