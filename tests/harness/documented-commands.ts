import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { childEnv } from '@/scripts/environment';
import { isolatedEnv } from '@/scripts/isolated-env';

/** The shell blocks below a heading of OPERATION.md, in order, up to the next heading. */
export function documentedBlocks(heading: string): string[] {
  const [, below = ''] = readFileSync('OPERATION.md', 'utf8').split(`\n${heading}\n`);
  const [section = ''] = below.split(/\n#{2,3} /);
  return [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) =>
    // Inside a list a block stands indented.
    block.replaceAll(/^ +/gm, ''),
  );
}

/** Runs a block as it stands. Throws Error with all that it said when a line of it fails. */
export function runBlock(block: string, env: Record<string, string>): string {
  const { status, stdout, stderr } = spawnSync('sh', ['-e', '-u', '-c', block], {
    env: childEnv({ ...isolatedEnv(), ...env }),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`${block}ended with ${status}:\n${stdout}${stderr}`);
  return stdout;
}
