import { expect, it, vi } from 'vitest';
import { awaitFeePayment, type FeeReading } from './read-fee-payment';

const ABSENT: FeeReading = { state: 'absent' };
const REFUSED: FeeReading = {
  state: 'refused',
  code: 'payment_invalid',
  detail: 'it failed',
};

/** Waits for a payment of this client until it is released, and returns how often it was polled. */
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

it('a payment that only one node shows is polled until a second node shows it, for four seconds', async () => {
  vi.useFakeTimers();
  try {
    const payment = {
      signature: 'sig',
      slot: 1n,
      blockTime: new Date(0),
      payer: 'payer',
      payTo: 'till',
      amountMicros: 1n,
      memos: [],
    };
    const alone: FeeReading = { state: 'paid', payment, isAlone: true };
    const shown: FeeReading = { state: 'paid', payment };
    const told: FeeReading[] = [ABSENT, alone, shown];
    const look = async () => told.shift() ?? alone;
    const found = awaitFeePayment({ client: '198.51.100.1', look });
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await found).toEqual(shown);
    const lonely = awaitFeePayment({ client: '198.51.100.1', look });
    await vi.advanceTimersByTimeAsync(4_000);
    expect(await lonely).toEqual(alone);
  } finally {
    vi.useRealTimers();
  }
});

it('ten seconds are counted from before the first poll, which a node may delay', async () => {
  vi.useFakeTimers();
  try {
    let looks = 0;
    const look = async () => {
      looks += 1;
      if (looks === 1) await new Promise((resolve) => setTimeout(resolve, 9_500));
      return ABSENT;
    };
    const found = awaitFeePayment({ client: '198.51.100.2', look });
    await vi.advanceTimersByTimeAsync(9_500);
    await vi.advanceTimersByTimeAsync(10_000);
    await found;
    expect(looks).toBe(1);
  } finally {
    vi.useRealTimers();
  }
});
