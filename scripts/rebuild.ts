import { loadDotEnv, pointAtEmbeddedStack } from './environment';
import { serviceContext } from '@/server/use-cases/service';
import { rebuild } from '@/server/admin/rebuild';
import { startClock } from '@/server/service-clock';

/**
 * `npm run admin -- rebuild`: after the restore of an old backup, recovers later records from the
 * chain and permanent storage. Before the service starts, set RESTORE to a word for that backup,
 * which the audit log will show. `payTo` are wallets that PAY_TO named between the backup and now.
 * Earlier ones are recorded. Returns the exit code: 1 when rows failed and the service therefore
 * still waits.
 */
export async function runRebuild(o: {
  payTo: string[];
  acceptFailed: boolean;
  actor: string;
}): Promise<number> {
  loadDotEnv();
  await pointAtEmbeddedStack();
  const service = serviceContext();
  try {
    await startClock();
    const label = service.env.restore ?? 'by hand';
    const say = (line: string) => console.log(line);
    const result = await rebuild(service, { ...o, label, say });
    console.log(
      `${result.receipts} receipts, ${result.used} used and ${result.unused} unused payments were restored, and the NFTs of ${result.statements} statements`,
    );
    console.log(`skipped ${result.skipped.length}, failed ${result.failed.length}`);
    if (result.failed.length > 0)
      console.log(
        result.isFinished
          ? 'The service continues without the rows that failed.'
          : 'The service still waits. Run this again; --accept-failed lets it continue without the rows that failed.',
      );
    return result.isFinished ? 0 : 1;
  } finally {
    await service.db.$disconnect();
  }
}
