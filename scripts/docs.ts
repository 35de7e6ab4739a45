import { writeFileSync } from 'node:fs';
import { generatedPages } from './documents/all-sections';

/** `npm run docs`: writes what documents say of operations, settings, metrics and modules. */
for (const { file, was, wanted } of await generatedPages()) {
  if (was === wanted) continue;
  writeFileSync(file, wanted);
  console.log(`wrote ${file}`);
}
