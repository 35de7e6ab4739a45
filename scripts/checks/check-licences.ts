import { readFileSync } from 'node:fs';
import { z } from 'zod';

/**
 * Licences that let anybody run, change and redistribute the service: permissive ones, and weak
 * copyleft (LGPL, MPL, EPL) that covers only the package's own files. SPDX names, as in
 * package-lock.json.
 */
const OPEN =
  /^(?:MIT|MIT-0|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|Unlicense|CC0-1\.0|CC-BY-4\.0|BlueOak-1\.0\.0|Python-2\.0|PDDL-1\.0|OFL-1\.1|WTFPL|Zlib|MPL-2\.0|EPL-2\.0|LGPL-(?:2\.1|3\.0)(?:-only|-or-later)?)$/;

/** Packages that name no licence in package.json, with the one in their licence file. */
const IN_FILE: Readonly<Record<string, string>> = {
  'arweave-stream-tx': 'MIT',
  eyes: 'MIT',
  'seq-queue': 'MIT',
  'text-encoding-utf-8': 'Unlicense',
};

const lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      dev: z.boolean().optional(),
      link: z.boolean().optional(),
      license: z.string().optional(),
    }),
  ),
});

/** No package that the service ships has a licence that forbids use, change or redistribution. */
export function checkLicences(): string[] {
  return judgeLicences(readFileSync('package-lock.json', 'utf8'));
}

/**
 * The faults of a package-lock.json, one line for each package that is not only for development.
 */
export function judgeLicences(json: string): string[] {
  const { packages } = lock.parse(JSON.parse(json));
  return Object.entries(packages).flatMap(([path, entry]) => {
    const at = path.lastIndexOf('node_modules/');
    if (at < 0 || entry.dev === true || entry.link === true) return [];
    const name = path.slice(at + 'node_modules/'.length);
    const licence = entry.license ?? IN_FILE[name];
    if (licence === undefined)
      return [`${name} names no licence: read its licence file and add it to IN_FILE, or drop it`];
    return isOpen(licence) ? [] : [`${name} has the licence ${licence}: it must not ship, drop it`];
  });
}

/** With `A OR B` we choose. `A AND B` binds to both. */
function isOpen(licence: string): boolean {
  const choices = licence.replace(/^\((.*)\)$/, '$1').split(/ OR /i);
  return choices.some((choice) => choice.split(/ AND /i).every((one) => OPEN.test(one)));
}
