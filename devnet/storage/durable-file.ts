import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const UNFINISHED = '.tmp';

/** Writes a file so that it is complete or absent, even after a power loss. */
export async function writeDurably(path: string, content: Uint8Array | string): Promise<void> {
  const unfinished = `${path}.${randomBytes(6).toString('hex')}${UNFINISHED}`;
  const file = await open(unfinished, 'wx');
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(unfinished, path);
  // The new name is an entry of the folder, and the folder needs its own sync.
  const folder = await open(dirname(path), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Makes a folder and removes files that a killed process left unfinished. */
export async function openFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true });
  for (const name of await readdir(path)) if (name.endsWith(UNFINISHED)) await rm(join(path, name));
}
