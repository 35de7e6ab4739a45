import { awaitsRebuild } from '@/server/admin/awaits-rebuild';
import { serviceContext } from '@/server/use-cases/service';
import { json } from './respond';

type Handler = (request: Request) => Promise<Response>;

/** Lets the job server's calls wait (it repeats them) until a restored database was rebuilt. */
export function holdJobs(handler: Handler): Handler {
  return async (request) =>
    (await awaitsRebuild(serviceContext()))
      ? json(503, { error: 'waiting for npm run rebuild' }, { 'Retry-After': '10' })
      : handler(request);
}
