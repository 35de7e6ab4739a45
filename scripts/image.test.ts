import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const dockerfile = readFileSync('Dockerfile', 'utf8');
const compose = readFileSync('compose.yaml', 'utf8');
const images = [...dockerfile.matchAll(/^FROM (\S+)/gm), ...compose.matchAll(/^ +image: (\S+)$/gm)];

describe('the image', () => {
  it('is made of pinned versions, and so is all that runs beside it', () => {
    expect(images).toHaveLength(6);
    for (const [, image = ''] of images) expect(image).toMatch(/:v?\d+\.\d+(\.\d+)?(-[a-z-]+)?$/);
  });

  it('runs without privileges on files that it cannot write', () => {
    const [, run = ''] = dockerfile.split(/^FROM .*$/m).slice(-2);
    expect(run).toContain('\nUSER node\n');
    expect(run).toContain('HEALTHCHECK');
    expect(run).not.toContain('--chown');
    expect(compose).toContain('  read_only: true');
    expect(compose).toContain('  cap_drop: [ALL]');
    expect(compose).toContain("  volumes: ['/data']");
  });

  it('gets the keys by no way but as secrets', () => {
    const ignored = readFileSync('.dockerignore', 'utf8').split('\n');
    for (const name of ['secrets', '.env', '.data']) expect(ignored).toContain(name);
  });
});

describe('compose.yaml', () => {
  it('takes from .env nothing that is not documented', () => {
    const needed = [...compose.matchAll(/\$\{([A-Z_]+)[:}?]/g)].map(([, name = '']) => name);
    expect(new Set(needed)).toContain('PUBLIC_HOST');
    const example = readFileSync('.env.example', 'utf8');
    for (const name of needed) expect(example).toMatch(new RegExp(`^# ${name}=`, 'm'));
    const operation = readFileSync('OPERATION.md', 'utf8');
    for (const name of ['PUBLIC_HOST', 'POSTGRES_PASSWORD', 'chown 1000 secrets/'])
      expect(operation).toContain(name);
  });

  it('puts no password into a URL, where some characters would end it', () => {
    expect(compose).not.toMatch(/:\/\/[^\s']*\$\{/);
    expect(compose.match(/PGPASSWORD: \$\{POSTGRES_PASSWORD:\?\}/g)).toHaveLength(2);
  });
});
