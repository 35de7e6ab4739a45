import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateKeyPairSync } from 'node:crypto';
import bs58 from 'bs58';
import { describe, expect, it } from 'vitest';
import { parseEnv, SettingsError } from './env';
import { makeEmbeddedKey } from './keys';
import { isPrivateHost } from './ip-address';
import { tempFolder } from '@/tests/harness/temp-folder';

/** A key as solana-keygen makes it. */
function realKey(): string {
  const { privateKey } = generateKeyPairSync('ed25519');
  const { d = '', x = '' } = privateKey.export({ format: 'jwk' });
  return bs58.encode(Buffer.concat([Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')]));
}

const addressOf = (key: string) => bs58.encode(bs58.decode(key).subarray(32));

const MINTER = realKey();
const STORAGE = realKey();
const FEE_PAYER = realKey();
const PAY_TO = addressOf(realKey());
const MAINNET = {
  NETWORK: 'mainnet',
  OPERATOR_NAME: 'Example Receipts GmbH',
  OPERATOR_CONTACT: 'help@example.com',
  PUBLIC_URL: 'https://receipts.example.com',
  DATABASE_URL: 'postgresql://app:hunter2hunter2@db.internal:5432/quittance',
  SOLANA_RPC_URLS: 'https://one.example.com,https://two.example.org',
  STORAGE_UPLOAD_URL: 'https://uploader.irys.xyz',
  STORAGE_GATEWAY_URL: 'https://gateway.irys.xyz/',
  INNGEST_BASE_URL: 'https://inngest.example.com',
  INNGEST_EVENT_KEY: 'eventkey-0123456789',
  INNGEST_SIGNING_KEY: 'signkey-prod-0123456789abcdef',
  MINTER_KEY: MINTER,
  STORAGE_KEY: STORAGE,
  PAY_TO,
  FEE_PAYER_KEY: FEE_PAYER,
};
type Source = Parameters<typeof parseEnv>[0];

/** The faults of settings; none when they hold. */
function faults(source: Source): string[] {
  try {
    parseEnv(source);
    return [];
  } catch (error) {
    if (error instanceof SettingsError) return error.lines;
    throw error;
  }
}

describe.each(['mainnet', 'devnet'])('settings on %s', (network) => {
  const whole = { ...MAINNET, NETWORK: network };

  it('hold when everything is set and lies outside', () => {
    expect(faults(whole)).toEqual([]);
    expect(parseEnv(whole)).toMatchObject({
      network,
      publicUrl: 'https://receipts.example.com',
      rpcUrls: ['https://one.example.com', 'https://two.example.org'],
      storageGatewayUrl: 'https://gateway.irys.xyz',
    });
  });

  it.each(Object.keys(MAINNET).filter((name) => name !== 'NETWORK'))(
    'do not hold without %s: nothing is embedded',
    (name) => {
      for (const value of [undefined, '']) {
        const lines = faults({ ...whole, [name]: value });
        expect(lines).toHaveLength(1);
        expect(lines[0]).toContain(name);
        expect(lines[0]).toContain('must be set');
      }
    },
  );

  it.each([
    ['SOLANA_RPC_URLS', 'http://127.0.0.1:8899'],
    ['SOLANA_RPC_URLS', 'https://one.example.com,http://localhost:8899'],
    ['SOLANA_RPC_URLS', 'http://[::1]:8899'],
    ['SOLANA_RPC_URLS', 'http://192.168.1.4:8899'],
    ['STORAGE_UPLOAD_URL', 'http://127.0.0.1:8898'],
    ['STORAGE_GATEWAY_URL', 'http://10.0.0.7:8898'],
    ['PUBLIC_URL', 'https://localhost:3000'],
    ['PUBLIC_URL', 'https://192.168.0.2'],
    ['PUBLIC_URL', 'https://quittance.local'],
  ])('refuse %s at %s: it is no public host', (name, value) => {
    const lines = faults({ ...whole, [name]: value });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(name);
    expect(lines[0]).toContain('this machine or a private network');
  });

  it.each([
    'https://one.example.com',
    'https://one.example.com,https://two.example.com',
    'https://rpc.example.co.uk,https://example.co.uk/v2',
    'https://203.0.113.7,https://203.0.113.7:8899',
  ])('refuse %s: nodes of one provider alone', (value) => {
    const lines = faults({ ...whole, SOLANA_RPC_URLS: value });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('SOLANA_RPC_URLS must name nodes of at least two providers');
  });

  it.each([
    'https://one.example.com,https://two.example.com,https://rpc.other.net',
    'https://rpc.one.co.uk,https://rpc.two.co.uk',
    'https://203.0.113.7,https://203.0.113.8',
  ])('take %s: nodes of two providers', (value) => {
    expect(faults({ ...whole, SOLANA_RPC_URLS: value })).toEqual([]);
  });

  it.each([
    ['DATABASE_URL', 'postgresql://postgres:postgres@127.0.0.1:15432/quittance'],
    ['DATABASE_URL', 'postgresql://someone:secret12@localhost:15432/other'],
    ['INNGEST_BASE_URL', 'http://127.0.0.1:8288'],
    ['INNGEST_BASE_URL', 'http://localhost:8288'],
  ])('refuse %s at %s: the embedded stack listens there', (name, value) => {
    expect(faults({ ...whole, [name]: value })).toEqual([
      `${name} is where the embedded stack listens, which is refused on ${network}`,
    ]);
  });

  it('take a database and a job server in a private network', () => {
    const own = {
      DATABASE_URL: 'postgresql://app:secret12@127.0.0.1:5432/quittance',
      INNGEST_BASE_URL: 'http://inngest:8288',
    };
    expect(faults({ ...whole, ...own })).toEqual([]);
  });

  it('refuse a PUBLIC_URL without TLS', () => {
    expect(faults({ ...whole, PUBLIC_URL: 'http://receipts.example.com' })).toEqual([
      'PUBLIC_URL must be https',
    ]);
  });

  it.each(['MINTER_KEY', 'STORAGE_KEY', 'FEE_PAYER_KEY'])(
    'refuse a %s that the embedded stack made, however it is given',
    (name) => {
      const embedded = makeEmbeddedKey();
      const file = join(tempFolder('keys'), 'key.json');
      writeFileSync(file, JSON.stringify([...embedded]));
      const ways = [
        { [name]: bs58.encode(embedded) },
        { [name]: JSON.stringify([...embedded]) },
        { [name]: '', [`${name}_FILE`]: file },
      ];
      for (const way of ways)
        expect(faults({ ...whole, ...way })).toEqual([
          `${name} was made by the embedded stack and is refused on ${network}`,
        ]);
    },
  );

  it('refuse a PAY_TO whose key the embedded stack made, as far as the folder shows it', () => {
    const dir = tempFolder('data');
    const embedded = bs58.encode(makeEmbeddedKey());
    mkdirSync(join(dir, 'keys'));
    writeFileSync(join(dir, 'keys', 'pay-to.json'), embedded);
    const source = { ...whole, QUITTANCE_DATA_DIR: dir };
    expect(faults(source)).toEqual([]);
    expect(faults({ ...source, PAY_TO: addressOf(embedded) })).toEqual([
      `PAY_TO is a wallet of the embedded stack and is refused on ${network}`,
    ]);
  });
});

describe('settings', () => {
  it('report every fault at once, one line each', () => {
    const lines = faults({ NETWORK: 'mainnet' });
    expect(lines).toHaveLength(Object.keys(MAINNET).length - 1);
    for (const line of lines) expect(line).not.toContain('\n');
  });

  it.each([
    ['NETWORK', 'testnet'],
    ['SERVICE_NAME', 'Not A Name'],
    ['PORT', '70000'],
    ['PORT', 'http'],
    ['DATABASE_URL', 'mysql://x'],
    ['DATABASE_POOL', '1'],
    ['SOLANA_RPC_URLS', 'ftp://x.example.com'],
    ['SOLANA_RPC_URLS', ','],
    ['STORAGE_UPLOAD_URL', 'not a url'],
    ['INNGEST_CHECKPOINTING', 'yes'],
    ['LOG_LEVEL', 'loud'],
    ['MINTER_KEY', 'abc'],
    ['STORAGE_KEY', '[1,2,3]'],
    ['FEE_PAYER_KEY', 'abc'],
    ['PAY_TO', 'abc'],
    ['PAY_TO', STORAGE],
    ['ADMIN_TOKEN', 'a'.repeat(31)],
  ])('refuse %s=%s and name it', (name, value) => {
    const lines = faults({ ...MAINNET, [name]: value });
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).toContain(name);
  });

  it.each([
    [{ STORAGE_KEY: MINTER }, 'MINTER_KEY and STORAGE_KEY must be different keys'],
    [{ FEE_PAYER_KEY: MINTER }, 'MINTER_KEY and FEE_PAYER_KEY must be different keys'],
    [{ FEE_PAYER_KEY: STORAGE }, 'STORAGE_KEY and FEE_PAYER_KEY must be different keys'],
    [{ PAY_TO: addressOf(FEE_PAYER) }, 'FEE_PAYER_KEY and PAY_TO must be different keys'],
  ])('refuse one key for two jobs: %j', (change, fault) => {
    expect(faults({ ...MAINNET, ...change })).toEqual([fault]);
  });

  it('refuse a key that is given twice, and a file that cannot be read', () => {
    expect(faults({ ...MAINNET, MINTER_KEY_FILE: '/nowhere' })).toEqual([
      'set MINTER_KEY or MINTER_KEY_FILE, not both',
    ]);
    expect(faults({ ...MAINNET, MINTER_KEY: '', MINTER_KEY_FILE: '/nowhere' })).toEqual([
      'MINTER_KEY_FILE cannot be read (/nowhere)',
    ]);
  });

  it('never show a secret in what they say', () => {
    const broken = `${MINTER.slice(0, -4)}1111`;
    const source = {
      ...MAINNET,
      MINTER_KEY: broken,
      STORAGE_KEY: bs58.encode(makeEmbeddedKey()),
      INNGEST_EVENT_KEY: 'short',
      INNGEST_SIGNING_KEY: 'brief',
      DATABASE_URL: 'mysql://app:hunter2hunter2@db',
      PUBLIC_URL: 'http://localhost',
    };
    for (const attempt of [source, { ...source, ...pick(MAINNET, ['DATABASE_URL']) }]) {
      const said = faults(attempt).join('\n');
      expect(said).not.toBe('');
      for (const secret of [broken, source.STORAGE_KEY, 'short', 'brief', 'hunter2'])
        expect(said).not.toContain(secret);
    }
  });

  it('fall back to the embedded stack on local alone', () => {
    const dir = tempFolder('data');
    expect(faults({ QUITTANCE_DATA_DIR: dir })).toEqual([
      `MINTER_KEY_FILE cannot be read (${join(dir, 'keys', 'minter.json')})`,
      `STORAGE_KEY_FILE cannot be read (${join(dir, 'keys', 'storage.json')})`,
      `FEE_PAYER_KEY_FILE cannot be read (${join(dir, 'keys', 'fee-payer.json')})`,
      'PAY_TO must be set, or npm start makes it',
    ]);
    const payTo = bs58.encode(makeEmbeddedKey());
    mkdirSync(join(dir, 'keys'));
    writeFileSync(join(dir, 'keys', 'pay-to.json'), payTo);
    const keys = {
      QUITTANCE_DATA_DIR: dir,
      MINTER_KEY: bs58.encode(makeEmbeddedKey()),
      STORAGE_KEY: STORAGE,
      FEE_PAYER_KEY: FEE_PAYER,
    };
    expect(parseEnv({ ...keys, PORT: '3100' })).toMatchObject({
      network: 'local',
      publicUrl: 'http://127.0.0.1:3100',
      rpcUrls: ['http://127.0.0.1:8899'],
      storageUploadUrl: 'http://127.0.0.1:8898',
      jobsUrl: 'http://127.0.0.1:8288',
      payTo: addressOf(payTo),
    });
  });

  it.each([
    ['http://0.0.0.0', true],
    ['http://172.16.4.4', true],
    ['http://172.32.4.4', false],
    ['http://169.254.169.254', true],
    ['http://[fd00::1]', true],
    ['http://[::ffff:127.0.0.1]', true],
    ['http://[2606:4700::1111]', false],
    ['http://storage', true],
    ['https://api.mainnet-beta.solana.com', false],
  ])('know that %s is private: %s', (url, expected) => {
    expect(isPrivateHost(url)).toBe(expected);
  });
});

function pick(from: Record<string, string>, names: string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, from[name] ?? '']));
}

describe('the sources of rates', () => {
  it('are the public ones on mainnet, and samples that say so on local', () => {
    expect(parseEnv(MAINNET).rates).toEqual({
      url: 'https://api.frankfurter.dev',
      ecbName: 'ECB reference rates (Frankfurter), base EUR',
      name: 'Frankfurter blended central-bank rates, base USD',
      datedUrl: 'https://cdn.jsdelivr.net/npm/@fawazahmed0/currency-api@{date}/v1',
      datedName: 'currency-api daily rates, base USD',
      solUrl: 'https://api.exchange.coinbase.com',
      solName: 'Coinbase SOL-USD daily close',
    });
    const { rates } = parseEnv({ ...MAINNET, NETWORK: 'local' });
    expect(rates.url).toBe('http://127.0.0.1:8897');
    for (const name of [rates.ecbName, rates.name, rates.datedName, rates.solName])
      expect(name).toMatch(/^sample .*, not real$/);
  });

  it('may be in a private network, but not where the embedded stack listens', () => {
    expect(faults({ ...MAINNET, RATES_URL: 'http://10.0.0.7:8080' })).toEqual([]);
    const dated = 'https://{date}.currency-api.pages.dev/v1/';
    expect(parseEnv({ ...MAINNET, RATES_DATED_URL: dated }).rates.datedUrl).toBe(
      'https://{date}.currency-api.pages.dev/v1',
    );
    for (const [name, value] of [
      ['RATES_URL', 'http://127.0.0.1:8897'],
      ['RATES_DATED_URL', 'http://127.0.0.1:8897/dated/{date}/v1'],
      ['SOL_PRICE_URL', 'http://localhost:8897'],
    ] as const)
      expect(faults({ ...MAINNET, [name]: value })).toEqual([
        `${name} is where the embedded stack listens, which is refused on mainnet`,
      ]);
  });

  it.each([
    ['RATES_URL', 'ftp://x.example.com'],
    ['RATES_DATED_URL', 'https://files.example.com/v1'],
    ['RATES_DATED_URL', '{date}'],
  ])('%s must be a URL of its kind', (name, value) => {
    expect(faults({ ...MAINNET, [name]: value })).toHaveLength(1);
  });
});
