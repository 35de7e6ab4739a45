import { loadDotEnv, pointAtEmbeddedStack } from './environment';
import { revokeKey } from '@/server/admin/revoke-key';
import { db } from '@/server/db/client';

/**
 * `npm run admin -- revoke <public key>`: works directly on the database, because the service is
 * stopped. Returns the exit code: 1 when it is refused.
 */
export async function runRevoke(o: {
  publicKey: string;
  from: Date | null;
  actor: string;
}): Promise<number> {
  loadDotEnv();
  await pointAtEmbeddedStack();
  try {
    const result = await revokeKey(db(), o);
    if (result.state === 'refused') {
      console.error(`Nothing was revoked: ${result.why}.`);
      return 1;
    }
    console.log(`${result.kinds.join(' and ')} key ${o.publicKey} is revoked.`);
    console.log(`It counts up to ${result.from.toISOString()}.`);
    for (const address of result.retired) console.log(`retired ${address}`);
    for (const id of result.doubtful)
      console.log(`no longer verifies, if it was minted after that time: ${id}`);
    return 0;
  } finally {
    await db().$disconnect();
  }
}
