import { expect, it } from 'vitest';
import * as client from '@/server/db/client';
import { standIn } from '@/tests/harness/stand-in';
import { serveLive } from './health';
import { EXAMPLE_ANSWERS } from './openapi/openapi-document';

let stuckS = 0;
standIn(client, {
  poolStates: () => [{ name: 'main', size: 8, open: 8, idle: 0, lent: 8, waiting: 3, stuckS }],
});

it('asks for a new process only once the connections were stuck for a minute', async () => {
  stuckS = 59.9;
  expect((await serveLive()).status).toBe(200);
  stuckS = 61.2;
  const answer = await serveLive();
  expect([answer.status, await answer.json()]).toEqual([503, EXAMPLE_ANSWERS['readLive']?.['503']]);
});
