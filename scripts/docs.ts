import { writeFileSync } from 'node:fs';
import { generatedPages } from './documents/all-sections';

/**
 * `npm run docs`: writes the generated parts of documents (operations, settings, metrics and modules),
 * and the reference of the page /docs.
 */
for (const { file, was, wanted } of await generatedPages()) {
  if (was === wanted) continue;
  writeFileSync(file, wanted);
  console.log(`wrote ${file}`);
}
