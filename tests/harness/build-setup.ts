import { buildForStack } from '@/scripts/build-app';

/** One production build per run, and one file for each part, made only when the sources changed. */
export default async function setup(): Promise<void> {
  await buildForStack((line) => console.log(line));
}
