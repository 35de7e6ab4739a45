import { expect, it } from 'vitest';
import { createMetrics } from './metrics';

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
