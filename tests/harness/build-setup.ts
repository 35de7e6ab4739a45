import type { TestProject } from 'vitest/node';
import { buildApp } from '@/scripts/build-app';

declare module 'vitest' {
  interface ProvidedContext {
    distDir: string;
  }
}

/** One production build per run, made only when the sources changed. */
export default async function setup(project: TestProject): Promise<void> {
  project.provide('distDir', await buildApp((line) => console.log(line)));
}
