import { readFileSync, statSync } from 'node:fs';

export type OsUser = { uid: number; gid: number };

/**
 * The user PostgreSQL runs as. PostgreSQL refuses root. Null means this user. Root uses the owner
 * of an existing data folder, else the machine's `postgres`, else `nobody`. No user is made.
 */
export function findUser(dataDir: string): OsUser | null {
  if (process.getuid?.() !== 0) return null;
  const owner = statSync(dataDir, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const users = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = users.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error(
    'PostgreSQL cannot run as root, and this machine has no user postgres or nobody.',
  );
}
