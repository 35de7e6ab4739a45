import { isLocal, loadDotEnv, pointAtEmbeddedStack } from './environment';
import { env, SettingsError } from '@/server/env';
import { describeSettings } from './doctor/describe-settings';
import type { Finding } from './doctor/finding';
import { ensureGenerated } from './ensure-generated';

/** `npm run doctor`: the parsed settings, every upstream and key, and the next steps. */
async function main(): Promise<number> {
  loadDotEnv();
  ensureGenerated();
  await pointAtEmbeddedStack();
  const app = env();
  console.log('Settings');
  for (const [name, value] of describeSettings(app)) console.log(`  ${name.padEnd(32)} ${value}`);

  // Loaded late, because they need the database client that was just generated.
  const { checkUpstreams } = await import('./doctor/check-upstreams');
  const { checkKeys, checkTrees } = await import('./doctor/check-keys');
  const { checkLedger } = await import('./doctor/check-ledger');
  const { db } = await import('@/server/db/client');
  const { gatherSetup } = await import('./doctor/gather-setup');
  const { planSetup } = await import('./doctor/plan-setup');
  const upstreams = await checkUpstreams(app);
  const balances = await checkKeys(app);
  const trees = await checkTrees(app);
  show('Upstreams', upstreams);
  show('Keys', balances.findings);
  show('Trees', trees.findings);
  const books = await checkLedger(db());
  show('Books', [books]);

  console.log(
    app.network === 'local'
      ? '\nSteps of a set-up (on local, npm start does them all)'
      : '\nSteps of the set-up, in order',
  );
  for (const step of planSetup(await gatherSetup({ env: app, balances, trees }))) {
    console.log(`  ${step.state.padEnd(8)}  ${step.command}`);
    if (step.state === 'done') continue;
    console.log(`            costs ${step.cost}`);
    for (const note of step.notes) console.log(`            ${note}`);
  }
  const findings = [...upstreams, ...balances.findings, ...trees.findings, books];
  return findings.every(({ ok }) => ok) ? 0 : 1;
}

function show(title: string, findings: Finding[]): void {
  console.log(`\n${title}`);
  for (const { ok, name, detail } of findings)
    console.log(`  ${ok ? 'ok    ' : 'FAILED'} ${name}: ${detail}`);
}

try {
  process.exit(await main());
} catch (error) {
  // The parts of the embedded stack print a line each as well.
  const isKnown = error instanceof Error && error.name.endsWith('SettingsError');
  const lines =
    error instanceof SettingsError ? error.lines : [isKnown ? error.message : String(error)];
  for (const line of lines) console.error(line);
  if (isLocal() && isKnown)
    console.error('On local, npm start makes the keys and serves all parts that are not set.');
  process.exit(1);
}
