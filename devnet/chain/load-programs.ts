import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { registerBubblegum } from './bubblegum/register';
import type { Chain } from './chain';

/** Files as `solana program dump` writes them, with the programs they hold. */
const PROGRAM_FILES: Record<string, string> = {
  'mpl_bubblegum.so': 'BGUMAp9Gq7iTEuizy4pqaxsTyUCBK68MDfK752saRPUY',
  'mpl_account_compression.so': 'mcmt6YrQEMKw8Mw43FmpRLmf7BqRnFMKmAcbxE3xkAW',
  'mpl_noop.so': 'mnoopTCrg4p8ry25e4bcWA9XZjbNjMTfgYVGGEdRsf3',
  'mpl_core.so': 'CoREENxT6tW1HoK8ypY1SxRMZTcVPm7R94rH4PZNhX7d',
  'spl_account_compression.so': 'cmtDvXumGCrqC1Age74AVPhSRVXJMd8PJS91L8KbNCK',
  'spl_noop.so': 'noopb9bkMVfRPU8AsbpTUg8AQkHtKwMYZiFUjNRtMmV',
};
/** Bubblegum V2 cannot run without these. */
const REQUIRED = ['mpl_bubblegum.so', 'mpl_account_compression.so', 'mpl_noop.so'];

/**
 * Gives the chain Bubblegum: the real programs where the folder holds them, else the emulation. Returns
 * the names of the files that were loaded.
 */
export function loadPrograms(chain: Chain, folder: string | null): string[] {
  const present = folder
    ? Object.keys(PROGRAM_FILES).filter((name) => existsSync(join(folder, name)))
    : [];
  const missing = REQUIRED.filter((name) => !present.includes(name));
  if (missing.length > 0) registerBubblegum(chain);
  if (missing.length > 0 && missing.length < REQUIRED.length)
    throw new Error(`${folder} lacks ${missing.join(', ')}: the real programs work only together`);
  for (const name of present) {
    const programId = PROGRAM_FILES[name] ?? '';
    chain.svm.addProgram(programId, readFileSync(join(folder ?? '', name)));
    chain.virtualPrograms.delete(programId);
  }
  return present;
}
