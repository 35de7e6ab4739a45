import { readFileSync } from 'node:fs';
import { ERRORS } from '@/server/errors';

/** Every error of the catalogue is in use: some line of the service names it. */
export function checkErrors(files: string[]): string[] {
  const text = files
    .filter((file) => /^(server|app)\/.*\.tsx?$/.test(file) && !file.includes('.test.'))
    .filter((file) => !/^server\/(\w+-)?errors\.ts$/.test(file))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  return Object.keys(ERRORS)
    .filter((code) => !text.includes(`'${code}'`))
    .map((code) => `server/errors.ts: no line answers ${code}; remove the entry`);
}
