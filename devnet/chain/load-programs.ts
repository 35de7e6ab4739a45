import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { registerBubblegum } from './bubblegum/register';
import { LIGHTHOUSE, MEMO_PROGRAMS } from './addresses';
import type { Chain } from './chain';
import { lighthouseEmulator } from './emulate-lighthouse';
import { memoV4Emulator } from './emulate-memo';
import type { Emulator } from './emulator';

/** Files as `solana program dump` writes them, with the programs in them. */
const PROGRAM_FILES: Record<string, string> = {
  'mpl_bubblegum.so': 'BGUMAp9Gq7iTEuizy4pqaxsTyUCBK68MDfK752saRPUY',
  'mpl_account_compression.so': 'mcmt6YrQEMKw8Mw43FmpRLmf7BqRnFMKmAcbxE3xkAW',
  'mpl_noop.so': 'mnoopTCrg4p8ry25e4bcWA9XZjbNjMTfgYVGGEdRsf3',
  'mpl_core.so': 'CoREENxT6tW1HoK8ypY1SxRMZTcVPm7R94rH4PZNhX7d',
  'spl_account_compression.so': 'cmtDvXumGCrqC1Age74AVPhSRVXJMd8PJS91L8KbNCK',
  'spl_noop.so': 'noopb9bkMVfRPU8AsbpTUg8AQkHtKwMYZiFUjNRtMmV',
  'p_memo.so': MEMO_PROGRAMS.v4,
  'lighthouse.so': LIGHTHOUSE,
};
/** Bubblegum V2 cannot run without these. */
const REQUIRED = ['mpl_bubblegum.so', 'mpl_account_compression.so', 'mpl_noop.so', 'mpl_core.so'];

/** Independent programs: each is emulated when its real one is missing. */
const SINGLE_PROGRAMS: readonly Emulator[] = [memoV4Emulator, lighthouseEmulator];

/**
 * Gives the chain Bubblegum, memo v4 and Lighthouse: the real programs if the folder has them, else
 * the emulation. Returns the names of the loaded files.
 */
export function loadPrograms(chain: Chain, folder: string | null): string[] {
  const present = folder
    ? Object.keys(PROGRAM_FILES).filter((name) => existsSync(join(folder, name)))
    : [];
  for (const emulator of SINGLE_PROGRAMS) {
    chain.virtualPrograms.add(emulator.programId);
    chain.emulators.set(emulator.programId, emulator);
  }
  const missing = REQUIRED.filter((name) => !present.includes(name));
  if (missing.length > 0) registerBubblegum(chain);
  if (missing.length > 0 && missing.length < REQUIRED.length)
    throw new Error(`${folder} lacks ${missing.join(', ')}: the real programs work only together`);
  for (const name of present) {
    const programId = PROGRAM_FILES[name] ?? '';
    chain.svm.addProgram(programId, readFileSync(join(folder ?? '', name)));
    chain.virtualPrograms.delete(programId);
    chain.emulators.delete(programId);
  }
  return present;
}
