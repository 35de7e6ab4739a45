import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { buildForStack } from '@/scripts/build-app';
import { isolatedEnv } from '@/scripts/isolated-env';
import { pickPorts } from '@/scripts/pick-ports';
import { runService } from '@/scripts/run-service';
import { measureDashboard } from './measure-dashboard';
import { measureExport } from './measure-export';
import { measureGrowth } from './measure-growth';
import { measureListing } from './measure-listing';
import { measureLoad } from './measure-load';
import { measureMillion } from './measure-million';
import { measureMinting } from './measure-minting';
import { measureReading } from './measure-reading';
import { measureStatement } from './measure-statement';
import { line, print, type Line } from './stats';

const ms = (value: number) => `${value.toFixed(0)} ms`;

const PARTS = [
  'minting',
  'listing',
  'export',
  'dashboard',
  'reading',
  'statement',
  'load',
  'growth',
  'million',
] as const;

/**
 * `npm run bench`, or some parts of it, for example `npm run bench -- listing export`. Compares
 * speed and size of the service with those of the bare parts on the same machine in the same run.
 * The limits are the project's own. Exits with 1 when one is missed.
 */
async function main(): Promise<Line[]> {
  const chosen = new Set(z.array(z.enum(PARTS)).parse(process.argv.slice(2)));
  if (chosen.size === 0) for (const part of PARTS) chosen.add(part);
  await buildForStack((text) => console.log(text));
  const place = mkdtempSync(join(tmpdir(), 'quittance-bench-'));
  chmodSync(place, 0o755);
  const begun = performance.now();
  const service = await runService({
    mode: 'start',
    env: {
      ...isolatedEnv(),
      ...(await pickPorts()),
      QUITTANCE_DATA_DIR: join(place, 'data'),
      DEVNET_SLOT_MS: '50',
      DEVNET_FINALITY_SLOTS: '2',
      // Counted as usual, but too high for one client that sends the requests of hundreds.
      LIMITS: 'paid=100000,free_pair=100000,free_wallet=100000,free_client=100000,free_all=100000',
    },
    say: () => undefined,
    onFatal: (text) => console.error(text),
  });
  const readyMs = performance.now() - begun;
  try {
    const place = {
      baseUrl: service.baseUrl,
      rpcUrl: service.stack.settings.chain.url,
      databaseUrl: service.stack.appEnv['DATABASE_URL'] ?? '',
      pid: service.app.pid() ?? 0,
    };
    const lines = [
      line('npm start, once built, until ready', ms(readyMs), 'at most 25 s', readyMs < 25_000),
    ];
    print(lines);
    const parts: Record<(typeof PARTS)[number], () => Promise<Line[]> | Line[]> = {
      minting: () => measureMinting(service),
      listing: () => measureListing(place),
      export: () => measureExport(place),
      dashboard: () => measureDashboard(place.databaseUrl),
      reading: () => measureReading(),
      statement: () => measureStatement(place),
      load: () => measureLoad(place),
      growth: () => measureGrowth(place),
      million: () => measureMillion(place),
    };
    // Printed part by part, so that a failed part loses no earlier result.
    for (const part of PARTS.filter((name) => chosen.has(name))) {
      const measured = await parts[part]();
      print(measured);
      lines.push(...measured);
    }
    return lines;
  } finally {
    await service.close();
    rmSync(place, { recursive: true, force: true });
  }
}

const lines = await main();
process.exit(lines.some(({ held }) => held === false) ? 1 : 0);
