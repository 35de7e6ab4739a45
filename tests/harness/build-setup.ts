import { buildForStack } from '@/scripts/build-app';

/**
 * One production build per run, and one file for each part. Both are made only after the sources
 * changed.
 */
export default async function setup(): Promise<void> {
  await buildForStack((line) => console.log(line));
}
