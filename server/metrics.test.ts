import { expect, it, vi } from 'vitest';
import { createMetrics, loneSeconds, metrics, noteLone } from './metrics';

it('a reading shows nothing until it is set, and nothing again when it is dropped', async () => {
  const { registry, readings } = createMetrics();
  const lines = async () =>
    (await registry.metrics())
      .split('\n')
      .filter((line) => /^quittance_(oldest_pending|mints|second_nfts|fees_usdc)/.test(line));
  expect(await lines()).toEqual([]);
  readings.mints.oldest.set(3);
  readings.mints.open.set(2, { status: 'pending', stage: 'signed' });
  readings.mints.secondNfts.set(1);
  readings.mints.secondNfts.set(2);
  readings.payments.fees.set(0.1, { dialect: 'v2' });
  readings.payments.fees.set(0.3, { dialect: 'v2' });
  expect(await lines()).toEqual([
    'quittance_mints{status="pending",stage="signed"} 2',
    'quittance_oldest_pending_seconds 3',
    'quittance_second_nfts_total 2',
    'quittance_fees_usdc_total{dialect="v2"} 0.3',
  ]);
  for (const reading of [...Object.values(readings.mints), ...Object.values(readings.payments)])
    reading.drop();
  expect(await lines()).toEqual([]);
});

it('a payment that one node alone shows waits until a second one does, or nobody asks any more', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  metrics().lonePayments.clear();
  try {
    expect(loneSeconds()).toBe(0);
    noteLone('first', true);
    vi.advanceTimersByTime(100_000);
    noteLone('second', true);
    noteLone('first', true);
    vi.advanceTimersByTime(100_000);
    expect(loneSeconds()).toBe(100);
    noteLone('first', false);
    expect(loneSeconds()).toBe(0);
    vi.advanceTimersByTime(90_000);
    expect(loneSeconds()).toBe(0);
    noteLone('second', true);
    expect(loneSeconds()).toBe(0);
    for (let n = 0; n < 1_500; n += 1) noteLone(`invented ${n}`, true);
    expect(metrics().lonePayments.size).toBe(1_000);
  } finally {
    metrics().lonePayments.clear();
    vi.useRealTimers();
  }
});
