import { beforeEach, expect, it } from 'vitest';
import * as serviceModule from '@/server/use-cases/service';
import * as awaitsRebuildModule from '@/server/admin/awaits-rebuild';
import { standIn } from '@/tests/harness/stand-in';
import { holdJobs } from './hold-jobs';

const state = { awaits: true };
standIn(serviceModule, { serviceContext: () => ({}) });
standIn(awaitsRebuildModule, { awaitsRebuild: async () => state.awaits });

let worked = 0;
const call = async () => {
  const handler = holdJobs(async () => {
    worked += 1;
    return new Response('done');
  });
  return (await handler(new Request('http://127.0.0.1/api/inngest'))).status;
};
beforeEach(() => {
  worked = 0;
});

it('no job works while a restored database is not rebuilt: the job server must retry', async () => {
  state.awaits = true;
  expect([await call(), worked]).toEqual([503, 0]);
  state.awaits = false;
  expect([await call(), worked]).toEqual([200, 1]);
});
