import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { judgeAudit, parseExceptions } from './audit/judge-audit';

/**
 * `npm run audit`: known vulnerabilities of the service's packages, without those that have an
 * exception.
 */
async function main(): Promise<number> {
  const exceptions = parseExceptions(readFileSync('audit-exceptions.json', 'utf8'));
  const child = spawn('npm', ['audit', '--json', '--omit=dev'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const verdict = judgeAudit(await text(child.stdout), exceptions, new Date());
  if (verdict.state === 'no_answer') {
    console.log('The registry does not answer audit requests: nothing was checked.');
    return 0;
  }
  for (const line of verdict.faults) console.log(line);
  console.log(
    verdict.faults.length === 0
      ? `No vulnerability without an exception (${verdict.excepted} with one).`
      : `${verdict.faults.length} to check.`,
  );
  return verdict.faults.length === 0 ? 0 : 1;
}

process.exitCode = await main();
