import type { Db } from './client';

/** Records who did what to which subject. Call it in the transaction of the action. `detail` holds no secrets. */
export async function writeAudit(
  db: Db,
  entry: {
    at: Date;
    /** `admin`, `admin:name`, `participant`, `system`, or a wallet address. */
    actor: string;
    /** Module and action: `mint.retry`. */
    action: string;
    /** Id of what was changed. */
    subject: string;
    detail: Record<string, string | number | boolean | null>;
  },
): Promise<void> {
  await db.auditEntry.create({ data: entry });
}
