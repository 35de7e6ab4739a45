import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '@/server/db/client';

/** The one row. */
const NEWEST = 'newest';
/** A probe is sent this often, by all processes together. */
const EVERY_S = 50;
/** After a refusal it is sent again sooner, so that a fix shows. */
const REFUSED_AGAIN_S = 10;
/** A job server that is busy, or restarted, answers within this time. */
const MOST_UNANSWERED_S = 180;
/** Several probes are sent in this time if any process runs. */
const NOBODY_RAN_S = 300;

/** A process that runs has sent a probe in this time. */
const RUNS_S = 2 * EVERY_S + 20;

export type ProbeState = {
  /** Seconds since the oldest probe after which none came back; 0 when the newest came back. */
  unansweredS: number;
  /** The fault, as public text; null when the job server works. */
  fault: string | null;
};

/**
 * Sends an event that the job server must send back, unless another process did so just now. `send` throws
 * the refusal of the job server.
 */
export async function sendProbe(db: Db, send: () => Promise<void>): Promise<void> {
  const due = await db.$executeRaw`
    insert into job_probes (id, sent_at, unanswered_since) values (${NEWEST}, now(), now())
    on conflict (id) do update
      set sent_at = now(), unanswered_since = coalesce(job_probes.unanswered_since, now())
      where job_probes.sent_at < now() - make_interval(secs =>
        case when job_probes.refusal is null then ${EVERY_S}::int else ${REFUSED_AGAIN_S}::int end)`;
  if (due === 0) return;
  const refusal = await send().then(
    () => null,
    (error: unknown) => wordOf(error),
  );
  // A probe that came back before its sender gave up counts as accepted.
  await db.jobProbe.updateMany({
    where: { id: NEWEST, ...(refusal === null ? {} : { unansweredSince: { not: null } }) },
    data: { refusal },
  });
}

/**
 * For a process that starts. If no event was sent, none could return. Only then the count starts
 * again, so that restarts do not hide a job server that has been silent for long. A refusal of an
 * event may be fixed by this start.
 */
export async function restartProbes(db: Db): Promise<void> {
  await db.$executeRaw`
    update job_probes set refusal = null,
        unanswered_since = case when sent_at < now() - make_interval(secs => ${NOBODY_RAN_S})
          then now() else unanswered_since end
      where id = ${NEWEST} and unanswered_since is not null`;
}

export async function noteAnswered(db: Db): Promise<void> {
  await db.$executeRaw`
    update job_probes set answered_at = now(), unanswered_since = null, refusal = null
      where id = ${NEWEST}`;
}

/**
 * Sends an event and waits until one came back, by the database's clock. `nobody` when no process of the service has run
 * lately, so that none could answer. Throws the refusal of the job server, or that nothing came back
 * within `patienceMs`.
 */
export async function awaitProbe(
  db: Db,
  o: { send: () => Promise<void>; patienceMs: number },
): Promise<'came back' | 'nobody'> {
  const [before] = await db.$queryRaw<{ runs: boolean; asked: Date }[]>`
    select now()::timestamptz(3) as asked, exists (select from job_probes where id = ${NEWEST}
      and sent_at > now() - make_interval(secs => ${RUNS_S}::int)) as runs`;
  await o.send();
  if (!before?.runs) return 'nobody';
  const begun = performance.now();
  while (performance.now() - begun < o.patienceMs) {
    const row = await db.jobProbe.findUnique({ where: { id: NEWEST } });
    if (row?.answeredAt && row.answeredAt >= before.asked) return 'came back';
    await sleep(500);
  }
  throw new Error(
    `has sent no event back for ${Math.round(o.patienceMs / 1000)} s: see INNGEST_SIGNING_KEY and INNGEST_SERVE_ORIGIN`,
  );
}

/** State of the newest probe, by the database's clock. */
export async function probeState(db: Db): Promise<ProbeState> {
  const [row] = await db.$queryRaw<{ seconds: number | null; refusal: string | null }[]>`
    select extract(epoch from now() - unanswered_since)::float8 as seconds, refusal
      from job_probes where id = ${NEWEST}`;
  const unansweredS = row?.seconds ?? 0;
  if (row?.refusal != null) return { unansweredS, fault: `refuses events (${row.refusal})` };
  if (unansweredS <= MOST_UNANSWERED_S) return { unansweredS, fault: null };
  return {
    unansweredS,
    fault: `has sent no event back for ${Math.round(unansweredS)} s: see INNGEST_SIGNING_KEY and INNGEST_SERVE_ORIGIN`,
  };
}

/** The text of the SDK holds the address and the event. Only the kind of fault is public. */
function wordOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return /event key|401|403|unauthori[sz]ed/i.test(text) ? 'wrong event key' : 'no answer';
}
