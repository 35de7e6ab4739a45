import type { TestProject } from 'vitest/node';
import { buildApp } from '@/scripts/build-app';
import { bundleParts } from '@/scripts/bundle-parts';

declare module 'vitest' {
  interface ProvidedContext {
    distDir: string;
  }
}

/** One production build per run, and one file for each part, made only when the sources changed. */
export default async function setup(project: TestProject): Promise<void> {
  const distDir = await buildApp((line) => console.log(line));
  await bundleParts(distDir);
  project.provide('distDir', distDir);
}
