import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';

const lock = z.object({
  packages: z.record(
    z.string(),
    z.object({ dev: z.boolean().optional(), link: z.boolean().optional() }),
  ),
});

export type PackedImage = { bytes: number; has(name: string): boolean; remove(): void };

/**
 * The packages that the image ships, like after the last build step of the Dockerfile: those not
 * only for development, reduced by scripts/slim-packages.sh. Made of hard links, so that nothing is
 * copied.
 */
export function packImage(): PackedImage {
  const { packages } = lock.parse(JSON.parse(readFileSync('package-lock.json', 'utf8')));
  const names = Object.entries(packages)
    .filter(
      ([path, { dev, link }]) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) && !dev && !link,
    )
    .map(([path]) => path)
    .filter((path) => existsSync(path));
  mkdirSync('node_modules/.cache', { recursive: true });
  const dir = mkdtempSync('node_modules/.cache/image-');
  execFileSync('cp', ['-al', '--parents', ...names, dir]);
  execFileSync('sh', [resolve('scripts/slim-packages.sh')], { cwd: dir });
  const size = execFileSync('du', ['-sb', join(dir, 'node_modules')], { encoding: 'utf8' });
  return {
    bytes: Number.parseInt(size, 10),
    has: (name) => existsSync(join(dir, 'node_modules', name)),
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}
