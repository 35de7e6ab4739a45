import { serviceContext } from '@/server/api/service-context';
import { jobs } from './client';
import { PROBED } from './events';
import { noteAnswered } from '@/server/admin/job-probe';

/** Notes that a probe event came back: the job server has both keys, and reaches a process of ours. */
export function answerProbe() {
  return jobs().createFunction(
    { id: 'answer-probe', triggers: [{ event: PROBED }], retries: 0 },
    async () => {
      await noteAnswered(serviceContext().db);
    },
  );
}
