import { expect, it } from 'vitest';
import { muteLog } from '@/tests/harness/stand-in';
import { ServiceError } from '@/server/errors';
import { metrics } from '@/server/metrics';
import { writeRequestEvent } from './write-event';

muteLog();

it('every answer 503 is counted by its code, apart for those that only ask to come back', async () => {
  const answer = (status: number, failure: ServiceError | null) =>
    writeRequestEvent({
      requestId: null,
      route: '/mint',
      method: 'POST',
      status,
      durationMs: 1,
      failure,
    });
  answer(200, null);
  answer(503, new ServiceError('chain_unavailable', 'away'));
  answer(503, new ServiceError('in_progress', 'later'));
  answer(503, new ServiceError('in_progress', 'later'));
  const { values } = await metrics().unavailable.get();
  expect(values.map(({ labels, value }) => ({ ...labels, value }))).toEqual([
    { code: 'chain_unavailable', expected: 'no', value: 1 },
    { code: 'in_progress', expected: 'yes', value: 2 },
  ]);
});
