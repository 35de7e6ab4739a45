import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { childEnv } from '@/scripts/environment';

/**
 * Runs a curl line as it stands in a shell, in a folder of its own, and returns the status of the answer. A file
 * `.curlrc` has curl print it. Throws with what curl says where there is no answer.
 */
export async function runCurlLine(line: string, env: Record<string, string>): Promise<number> {
  const dir = mkdtempSync(join(tmpdir(), 'quittance-curl-'));
  writeFileSync(join(dir, '.curlrc'), 'write-out = "\\n%{http_code}"\n');
  const child = spawn('sh', ['-c', line], { cwd: dir, env: childEnv({ ...env, HOME: dir }) });
  const [printed, complaints] = await Promise.all([text(child.stdout), text(child.stderr)]);
  rmSync(dir, { recursive: true, force: true });
  const status = Number(printed.split('\n').at(-1));
  if (!(status >= 100))
    throw new Error(`${line}\nprinted:\n${printed.slice(0, 400)}\n${complaints}`);
  return status;
}
