import { join } from 'node:path';
import bs58 from 'bs58';
import { NETWORKS, type Network } from '@quittance/verify/network';
import { z } from 'zod';
import { isEmbeddedKey } from './keys';
import {
  operationSettings,
  type OperationSettings,
  operationVariables,
  privateSettings,
  type PrivateSettings,
  privateVariables,
} from './settings';
import { operatorSettings, operatorVariables, type OperatorContact } from './operator-contact';
import { isPrivateHost, providerOf } from './ip-address';
import { embeddedAddress, EMBEDDED_KEYS, readKey, sameKeys, type KeyName } from './read-key';

export type { Network };

/** Default addresses of the embedded stack; devnet/settings.ts has the same numbers. */
const EMBEDDED = {
  databaseUrl: 'postgresql://postgres:postgres@127.0.0.1:15432/quittance',
  rpcUrl: 'http://127.0.0.1:8899',
  storageUrl: 'http://127.0.0.1:8898',
  jobsUrl: 'http://127.0.0.1:8288',
  ratesUrl: 'http://127.0.0.1:8897',
} as const;

/** Default sources of rates on devnet and mainnet; .env.example describes each. */
const PUBLIC_RATES = {
  url: 'https://api.frankfurter.dev',
  ecbName: 'ECB reference rates (Frankfurter), base EUR',
  name: 'Frankfurter blended central-bank rates, base USD',
  datedUrl: 'https://cdn.jsdelivr.net/npm/@fawazahmed0/currency-api@{date}/v1',
  datedName: 'currency-api daily rates, base USD',
  solUrl: 'https://api.exchange.coinbase.com',
  solName: 'Coinbase SOL-USD daily close',
} as const;
const SAMPLE_RATES = {
  url: EMBEDDED.ratesUrl,
  datedUrl: `${EMBEDDED.ratesUrl}/dated/{date}/v1`,
  solUrl: EMBEDDED.ratesUrl,
  ecbName: 'sample rates, not real',
  name: 'sample rates, not real',
  datedName: 'sample rates, not real',
  solName: 'sample price, not real',
} as const;

const url = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });
const urls = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  )
  .pipe(z.array(url).min(1, 'must name at least one URL').max(5, 'must name at most five URLs'));
const integer = (least: number, most: number) =>
  z.coerce.number({ error: 'must be a whole number' }).int().min(least).max(most);

const datedUrl = z.string().refine((text) => {
  const filled = text.replaceAll('{date}', '2000-01-01');
  return filled !== text && url.safeParse(filled).success;
}, 'must be an http or https URL with {date} where the day goes');
const sourceName = z.string().min(1).max(120, 'must have at most 120 characters').optional();

/** Every setting of the app, as a variable of the environment. */
export const ENV_SCHEMA = z.object({
  NETWORK: z.enum(NETWORKS, `must be one of ${NETWORKS.join(', ')}`).default('local'),
  SERVICE_NAME: z
    .string()
    .regex(/^[a-z0-9-]{2,32}$/, 'must be 2 to 32 lower-case letters, digits or hyphens')
    .default('quittance'),
  PUBLIC_URL: url.optional(),
  PORT: integer(1, 65535).default(3000),
  QUITTANCE_DATA_DIR: z.string().min(1).default('.data'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must be a postgresql:// URL')
    .optional(),
  DATABASE_POOL: integer(2, 100).default(10),
  SOLANA_RPC_URLS: urls.optional(),
  SOLANA_RPC_TIMEOUT_MS: integer(100, 60_000).default(5_000),
  STORAGE_UPLOAD_URL: url.optional(),
  STORAGE_GATEWAY_URL: url.optional(),
  INNGEST_BASE_URL: url.optional(),
  INNGEST_EVENT_KEY: z.string().min(8, 'must have at least 8 characters').optional(),
  INNGEST_SIGNING_KEY: z.string().min(8, 'must have at least 8 characters').optional(),
  INNGEST_SERVE_ORIGIN: url.optional(),
  INNGEST_CHECKPOINTING: z.enum(['0', '1'], 'must be 0 or 1').default('1'),
  MINTER_KEY: z.string().optional(),
  MINTER_KEY_FILE: z.string().optional(),
  STORAGE_KEY: z.string().optional(),
  STORAGE_KEY_FILE: z.string().optional(),
  PAY_TO: z
    .string()
    .refine((text) => bs58.decodeUnsafe(text)?.length === 32, 'must be the address of a wallet')
    .optional(),
  FEE_PAYER_KEY: z.string().optional(),
  FEE_PAYER_KEY_FILE: z.string().optional(),
  ADMIN_TOKEN: z.string().min(32, 'must have at least 32 characters').optional(),
  MINT_PRIORITY_FEE_MICROLAMPORTS: integer(0, 10_000_000).default(20_000),
  STATEMENT_QUOTES_PER_CLIENT: integer(1, 10_000).optional(),
  RATES_URL: url.optional(),
  RATES_ECB_NAME: sourceName,
  RATES_NAME: sourceName,
  RATES_DATED_URL: datedUrl.optional(),
  RATES_DATED_NAME: sourceName,
  SOL_PRICE_URL: url.optional(),
  SOL_PRICE_NAME: sourceName,
  ...operatorVariables,
  ...operationVariables,
  ...privateVariables,
  LOG_LEVEL: z
    .enum(
      ['debug', 'info', 'warn', 'error', 'silent'],
      'must be debug, info, warn, error or silent',
    )
    .default('info'),
});

/** Every setting the app reads, for the check that each is documented. */
export const ENV_NAMES = Object.keys(ENV_SCHEMA.shape);

export type SecretKey = { secret: Uint8Array; publicKey: string };

export type Env = OperationSettings &
  PrivateSettings & {
    network: Network;
    serviceName: string;
    operator: OperatorContact;
    /** Origin of every absolute URL the service writes; no trailing slash. */
    publicUrl: string;
    port: number;
    dataDir: string;
    databaseUrl: string;
    databasePool: number;
    rpcUrls: string[];
    rpcTimeoutMs: number;
    storageUploadUrl: string;
    storageGatewayUrl: string;
    jobsUrl: string;
    jobsEventKey: string | null;
    jobsSigningKey: string | null;
    /** Where the job server reaches this app; the public URL unless a private one is set. */
    jobsServeOrigin: string;
    jobsCheckpointing: boolean;
    /** Authority and verified creator of every NFT; pays for mints. */
    minter: SecretKey;
    /** Signs storage items. */
    storage: SecretKey;
    /** Wallet that fees are paid to. Its key is not known here. */
    payTo: string;
    /** Pays the network fee of x402 payments; holds SOL and nothing else. */
    feePayer: SecretKey;
    /** Opens the admin paths; null closes them. */
    adminToken: string | null;
    mintPriorityFeeMicroLamports: number;
    /** Unpaid offers for statements that one client address may have open. */
    statementQuotesPerClient: number;
    rates: RateSources;
    logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  };

/** Where rates and prices come from, and the name by which answers call each source. */
export type RateSources = {
  /** Origin of a Frankfurter server (v2), asked for the ECB first and then for the blend of all banks. */
  url: string;
  ecbName: string;
  name: string;
  /** Folder of the currency-api layout, `{date}` standing for the day. */
  datedUrl: string;
  datedName: string;
  /** Origin of a Coinbase Exchange API, for the daily candles of SOL-USD. */
  solUrl: string;
  solName: string;
};

/** Settings that do not hold: one line for each, never with a secret in it. */
export class SettingsError extends Error {
  readonly lines: string[];
  constructor(lines: string[]) {
    super(`The settings are not valid:\n${lines.map((line) => `  ${line}`).join('\n')}`);
    this.name = 'SettingsError';
    this.lines = lines;
  }
}

/** Own parts that may be in a private network. */
const OWN_PARTS: ReadonlySet<string> = new Set([
  ...['DATABASE_URL', 'INNGEST_BASE_URL'],
  ...['RATES_URL', 'RATES_DATED_URL', 'SOL_PRICE_URL'],
]);

type Source = Readonly<Record<string, string | undefined>>;
let cached: Env | undefined;

/** The settings of this process, parsed at first use. Throws {@link SettingsError}. */
export function env(): Env {
  cached ??= parseEnv(process.env);
  return cached;
}

/**
 * Parses settings. On `local`, missing settings point to the embedded stack. On `devnet` and
 * `mainnet` everything must be set, nothing may point at this machine, and keys made by the
 * embedded stack are refused. Throws {@link SettingsError} with every fault at once.
 */
export function parseEnv(source: Source): Env {
  const present = Object.fromEntries(
    Object.entries(source).filter(([, v]) => v !== undefined && v !== ''),
  );
  const parsed = ENV_SCHEMA.safeParse(present);
  if (!parsed.success) {
    throw new SettingsError(
      parsed.error.issues.map((issue) => `${issue.path[0]?.toString() ?? '?'} ${issue.message}`),
    );
  }
  const v = parsed.data;
  const faults: string[] = [];
  const local = v.NETWORK === 'local';
  const need = (name: keyof typeof v, embedded: string): string => {
    const value = v[name];
    if (typeof value === 'string') return checkHost(name, value);
    if (!local) faults.push(`${name} must be set on ${v.NETWORK}`);
    return embedded;
  };
  const checkHost = (name: string, value: string): string => {
    if (local || !isPrivateHost(value)) return value;
    if (!OWN_PARTS.has(name))
      faults.push(`${name} must not point at this machine or a private network on ${v.NETWORK}`);
    else if (isEmbeddedPlace(value))
      faults.push(`${name} is where the embedded stack listens, which is refused on ${v.NETWORK}`);
    return value;
  };
  const key = (name: KeyName, file: string): SecretKey => {
    const result = readKey(name, v, local ? join(v.QUITTANCE_DATA_DIR, 'keys', file) : null);
    if ('fault' in result) {
      faults.push(result.fault);
      return { secret: new Uint8Array(64), publicKey: '' };
    }
    if (!local && isEmbeddedKey(result.secret))
      faults.push(`${name} was made by the embedded stack and is refused on ${v.NETWORK}`);
    return result;
  };

  const publicUrl = need('PUBLIC_URL', `http://127.0.0.1:${v.PORT}`).replace(/\/+$/, '');
  if (!local && v.PUBLIC_URL?.startsWith('https://') === false)
    faults.push('PUBLIC_URL must be https');
  const rpcUrls = v.SOLANA_RPC_URLS ?? [EMBEDDED.rpcUrl];
  if (!local && !v.SOLANA_RPC_URLS) faults.push(`SOLANA_RPC_URLS must be set on ${v.NETWORK}`);
  for (const rpcUrl of v.SOLANA_RPC_URLS ?? []) checkHost('SOLANA_RPC_URLS', rpcUrl);
  const publicUrls = (v.SOLANA_RPC_URLS ?? []).filter((one) => !isPrivateHost(one));
  const isAlone = new Set(publicUrls.map(providerOf)).size < 2;
  if (!local && isAlone && publicUrls.length === v.SOLANA_RPC_URLS?.length)
    faults.push(
      `SOLANA_RPC_URLS must name nodes of at least two providers on ${v.NETWORK}: two of them must agree before a transaction counts as expired`,
    );
  if (!local && !v.INNGEST_EVENT_KEY) faults.push(`INNGEST_EVENT_KEY must be set on ${v.NETWORK}`);
  if (!local && !v.INNGEST_SIGNING_KEY)
    faults.push(`INNGEST_SIGNING_KEY must be set on ${v.NETWORK}`);

  const byDefault = local ? SAMPLE_RATES : PUBLIC_RATES;
  const rateUrl = (name: 'RATES_URL' | 'RATES_DATED_URL' | 'SOL_PRICE_URL', unset: string) => {
    const value = (v[name] ?? unset).replace(/\/+$/, '');
    checkHost(name, value.replaceAll('{date}', '2000-01-01'));
    return value;
  };

  const { operator, faults: nameless } = operatorSettings(v, {
    isLocal: local,
    network: v.NETWORK,
  });
  faults.push(...nameless);
  const minter = key('MINTER_KEY', 'minter.json');
  const storage = key('STORAGE_KEY', 'storage.json');
  const feePayer = key('FEE_PAYER_KEY', 'fee-payer.json');
  const payTo = v.PAY_TO ?? (local ? embeddedAddress(v.QUITTANCE_DATA_DIR, 'pay-to') : null);
  if (payTo === null)
    faults.push(
      local ? 'PAY_TO must be set, or npm start makes it' : `PAY_TO must be set on ${v.NETWORK}`,
    );
  else if (!local && EMBEDDED_KEYS.some((k) => embeddedAddress(v.QUITTANCE_DATA_DIR, k) === payTo))
    faults.push(`PAY_TO is a wallet of the embedded stack and is refused on ${v.NETWORK}`);
  faults.push(
    ...sameKeys([
      ['MINTER_KEY', minter.publicKey],
      ['STORAGE_KEY', storage.publicKey],
      ['FEE_PAYER_KEY', feePayer.publicKey],
    ]),
    // If payments went to the fee payer, it would hold tokens, and a transaction that it signs
    // could move them.
    ...sameKeys([
      ['FEE_PAYER_KEY', feePayer.publicKey],
      ['PAY_TO', payTo ?? ''],
    ]),
  );

  const result: Env = {
    network: v.NETWORK,
    serviceName: v.SERVICE_NAME,
    operator,
    publicUrl,
    port: v.PORT,
    dataDir: v.QUITTANCE_DATA_DIR,
    databaseUrl: need('DATABASE_URL', EMBEDDED.databaseUrl),
    databasePool: v.DATABASE_POOL,
    rpcUrls,
    rpcTimeoutMs: v.SOLANA_RPC_TIMEOUT_MS,
    storageUploadUrl: need('STORAGE_UPLOAD_URL', EMBEDDED.storageUrl).replace(/\/+$/, ''),
    storageGatewayUrl: need('STORAGE_GATEWAY_URL', EMBEDDED.storageUrl).replace(/\/+$/, ''),
    jobsUrl: need('INNGEST_BASE_URL', EMBEDDED.jobsUrl),
    jobsEventKey: v.INNGEST_EVENT_KEY ?? null,
    jobsSigningKey: v.INNGEST_SIGNING_KEY ?? null,
    jobsServeOrigin: v.INNGEST_SERVE_ORIGIN?.replace(/\/+$/, '') ?? publicUrl,
    jobsCheckpointing: v.INNGEST_CHECKPOINTING === '1',
    minter,
    storage,
    payTo: payTo ?? '',
    feePayer,
    adminToken: v.ADMIN_TOKEN ?? null,
    mintPriorityFeeMicroLamports: v.MINT_PRIORITY_FEE_MICROLAMPORTS,
    statementQuotesPerClient: v.STATEMENT_QUOTES_PER_CLIENT ?? (local ? 300 : 3),
    rates: {
      url: rateUrl('RATES_URL', byDefault.url),
      ecbName: v.RATES_ECB_NAME ?? byDefault.ecbName,
      name: v.RATES_NAME ?? byDefault.name,
      datedUrl: rateUrl('RATES_DATED_URL', byDefault.datedUrl),
      datedName: v.RATES_DATED_NAME ?? byDefault.datedName,
      solUrl: rateUrl('SOL_PRICE_URL', byDefault.solUrl),
      solName: v.SOL_PRICE_NAME ?? byDefault.solName,
    },
    ...operationSettings(v, { isLocal: local }),
    ...privateSettings(v),
    logLevel: v.LOG_LEVEL,
  };
  if (faults.length > 0) throw new SettingsError(faults);
  return result;
}

/** Whether a URL names this machine at a default port of the embedded stack. */
function isEmbeddedPlace(text: string): boolean {
  const { hostname, port } = new URL(text);
  const here = hostname === 'localhost' || hostname.startsWith('127.') || hostname === '[::1]';
  return here && Object.values(EMBEDDED).some((url) => new URL(url).port === port);
}
