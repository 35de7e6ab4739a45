import { NextRequest } from 'next/server';
import { jobsHandler } from '@/server/jobs/serve';
import { holdJobs } from '@/server/rest/hold-jobs';
import { limitBody } from '@/server/rest/read-json';
import { withLength } from '@/server/rest/respond';

/** The job server sends a run's events and step results, which for a mint are a few hundred bytes. */
const MOST_BYTES = 4 * 1024 * 1024;

const call = (method: 'GET' | 'POST' | 'PUT') =>
  holdJobs(
    limitBody(MOST_BYTES, async (request) =>
      withLength(await jobsHandler()[method](new NextRequest(request), undefined)),
    ),
  );

export const GET = call('GET');
export const POST = call('POST');
export const PUT = call('PUT');
