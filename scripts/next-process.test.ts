import { describe, expect, it } from 'vitest';
import { nextProcess } from './next-process';

const envOf = (mode: 'start' | 'dev', env: Record<string, string> = {}) =>
  nextProcess({ mode, env: { NODE_ENV: 'test', ...env }, port: 3000, host: null }).env;

describe('the app process', () => {
  it('shares few arenas of memory between its threads', () => {
    expect(envOf('start')).toMatchObject({ MALLOC_ARENA_MAX: '2', NODE_ENV: 'production' });
    expect(envOf('dev')).toMatchObject({ MALLOC_ARENA_MAX: '2', NODE_ENV: 'development' });
  });

  it('has as many as its operator chose', () => {
    expect(envOf('start', { MALLOC_ARENA_MAX: '8' })).toMatchObject({ MALLOC_ARENA_MAX: '8' });
  });
});
