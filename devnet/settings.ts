import { resolve } from 'node:path';
import { z } from 'zod';

const integer = (least: number, most: number) => {
  const error = `must be a whole number from ${least} to ${most}`;
  return z.coerce.number({ error }).int({ error }).min(least, { error }).max(most, { error });
};
const port = (byDefault: number) => integer(1, 65_535).default(byDefault);
const url = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });

const variables = z.object({
  NETWORK: z.string().default('local'),
  PORT: port(3000),
  QUITTANCE_DATA_DIR: z.string().default('.data'),
  // Set by a user who brings this part. Then it is not embedded.
  DATABASE_URL: z.string().optional(),
  SOLANA_RPC_URLS: z.string().optional(),
  STORAGE_UPLOAD_URL: url.optional(),
  STORAGE_GATEWAY_URL: url.optional(),
  INNGEST_BASE_URL: url.optional(),
  INNGEST_SIGNING_KEY: z.string().optional(),
  INNGEST_EVENT_KEY: z.string().optional(),
  RATES_URL: url.optional(),
  RATES_DATED_URL: z.string().optional(),
  SOL_PRICE_URL: url.optional(),
  MINTER_KEY: z.string().optional(),
  MINTER_KEY_FILE: z.string().optional(),
  STORAGE_KEY: z.string().optional(),
  STORAGE_KEY_FILE: z.string().optional(),
  PAY_TO: z.string().optional(),
  FEE_PAYER_KEY: z.string().optional(),
  FEE_PAYER_KEY_FILE: z.string().optional(),
  POSTGRES_PORT: port(15432),
  CHAIN_PORT: port(8899),
  STORAGE_PORT: port(8898),
  RUNNER_PORT: port(8288),
  RATES_PORT: port(8897),
  DEVNET_SECOND_NODE_PORT: integer(1, 65_535).optional(),
  DEVNET_TX_DIR: z.string().optional(),
  DEVNET_PROGRAMS_DIR: z.string().optional(),
  DEVNET_SLOT_MS: integer(10, 10_000).default(400),
  DEVNET_FINALITY_SLOTS: integer(1, 100).default(8),
  DEVNET_RUNNER_BACKOFF_MS: integer(10, 3_600_000).default(2_000),
  DEVNET_RUNNER_MOST_SLEEP_MS: integer(10, 3_600_000).optional(),
  BROWSER_PATH: z.string().optional(),
});
type Variables = z.infer<typeof variables>;

export const SETTING_NAMES = Object.keys(variables.shape);

/** Settings of the embedded stack. Folders are absolute. The URLs are where the parts listen. */
export type Settings = {
  network: string;
  /** Port of the app. */
  appPort: number;
  dataDir: string;
  postgres: { port: number; dataDir: string };
  chain: {
    /** JSON-RPC, faucet and DAS. The WebSocket is on the next port. */
    port: number;
    url: string;
    /** Port of a second node over the same ledger, with separate faults. Null for a single node. */
    secondPort: number | null;
    dataDir: string;
    /** Recorded transactions served as finalized history. */
    txDir: string | null;
    /** Programs that replace the emulation. */
    programsDir: string | null;
    slotMs: number;
    /** Slots between the newest block and the newest final one. */
    finalitySlots: number;
  };
  storage: { port: number; url: string; dataDir: string };
  runner: {
    port: number;
    url: string;
    dataDir: string;
    /** The runner's queue, in a separate schema. */
    databaseUrl: string;
    /** The address of the app's functions. */
    appUrl: string;
    /** Wait before the second try. It doubles with each further one. */
    backoffMs: number;
    /** Longest sleep of a function. Null keeps the length that the function asks for. */
    mostSleepMs: number | null;
    signingKey: string | null;
    eventKey: string | null;
  };
  rates: { port: number; url: string };
  /** Parts that the user brings instead of the embedded ones, exactly as set. */
  given: {
    databaseUrl: string | null;
    rpcUrls: string | null;
    storage: boolean;
    jobsUrl: string | null;
    rates: { url: boolean; datedUrl: boolean; solUrl: boolean };
    minterKey: boolean;
    storageKey: boolean;
    payTo: boolean;
    feePayerKey: boolean;
  };
  /** Browser for the tests that drive pages. */
  browserPath: string | null;
};

/** Invalid settings, one line for each. */
export class DevnetSettingsError extends Error {
  readonly lines: string[];
  constructor(lines: string[]) {
    super(lines.join('\n'));
    this.name = 'DevnetSettingsError';
    this.lines = lines;
  }
}

/** The settings of this process. Throws {@link DevnetSettingsError}. */
export function settings(): Settings {
  return parseSettings(process.env);
}

/** Parses settings. An empty value counts as not set. Throws {@link DevnetSettingsError}. */
export function parseSettings(source: Readonly<Record<string, string | undefined>>): Settings {
  const present = Object.entries(source).filter(([, value]) => value !== undefined && value !== '');
  const parsed = variables.safeParse(Object.fromEntries(present));
  if (!parsed.success)
    throw new DevnetSettingsError(
      parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`),
    );
  return toSettings(parsed.data);
}

function toSettings(v: Variables): Settings {
  const dataDir = resolve(v.QUITTANCE_DATA_DIR);
  const local = (at: number) => `http://127.0.0.1:${at}`;
  const folder = (path: string | undefined) => (path === undefined ? null : resolve(path));
  return {
    network: v.NETWORK,
    appPort: v.PORT,
    dataDir,
    postgres: { port: v.POSTGRES_PORT, dataDir: resolve(dataDir, 'postgres') },
    chain: {
      port: v.CHAIN_PORT,
      url: local(v.CHAIN_PORT),
      secondPort: v.DEVNET_SECOND_NODE_PORT ?? null,
      dataDir: resolve(dataDir, 'chain'),
      txDir: folder(v.DEVNET_TX_DIR),
      programsDir: folder(v.DEVNET_PROGRAMS_DIR),
      slotMs: v.DEVNET_SLOT_MS,
      finalitySlots: v.DEVNET_FINALITY_SLOTS,
    },
    storage: {
      port: v.STORAGE_PORT,
      url: local(v.STORAGE_PORT),
      dataDir: resolve(dataDir, 'storage'),
    },
    runner: {
      port: v.RUNNER_PORT,
      url: local(v.RUNNER_PORT),
      dataDir: resolve(dataDir, 'runner'),
      databaseUrl:
        v.DATABASE_URL ??
        `postgresql://postgres:postgres@127.0.0.1:${v.POSTGRES_PORT}/${DATABASE_NAME}`,
      appUrl: `${local(v.PORT)}/api/inngest`,
      backoffMs: v.DEVNET_RUNNER_BACKOFF_MS,
      mostSleepMs: v.DEVNET_RUNNER_MOST_SLEEP_MS ?? null,
      signingKey: v.INNGEST_SIGNING_KEY ?? null,
      eventKey: v.INNGEST_EVENT_KEY ?? null,
    },
    rates: { port: v.RATES_PORT, url: local(v.RATES_PORT) },
    given: {
      databaseUrl: v.DATABASE_URL ?? null,
      rpcUrls: v.SOLANA_RPC_URLS ?? null,
      storage: v.STORAGE_UPLOAD_URL !== undefined && v.STORAGE_GATEWAY_URL !== undefined,
      jobsUrl: v.INNGEST_BASE_URL ?? null,
      rates: {
        url: v.RATES_URL !== undefined,
        datedUrl: v.RATES_DATED_URL !== undefined,
        solUrl: v.SOL_PRICE_URL !== undefined,
      },
      minterKey: (v.MINTER_KEY ?? v.MINTER_KEY_FILE) !== undefined,
      storageKey: (v.STORAGE_KEY ?? v.STORAGE_KEY_FILE) !== undefined,
      payTo: v.PAY_TO !== undefined,
      feePayerKey: (v.FEE_PAYER_KEY ?? v.FEE_PAYER_KEY_FILE) !== undefined,
    },
    browserPath: v.BROWSER_PATH ?? null,
  };
}

/** The service's database on the embedded PostgreSQL. */
export const DATABASE_NAME = 'quittance';

/** Settings of the app for the embedded parts that the user does not bring. */
export function embeddedUrls(settings: Settings): Record<string, string> {
  const { given } = settings;
  const urls: Record<string, string> = {};
  if (given.databaseUrl === null) urls['DATABASE_URL'] = settings.runner.databaseUrl;
  if (given.rpcUrls === null) urls['SOLANA_RPC_URLS'] = nodeUrls(settings.chain).join(',');
  if (!given.storage) {
    urls['STORAGE_UPLOAD_URL'] = settings.storage.url;
    urls['STORAGE_GATEWAY_URL'] = settings.storage.url;
  }
  if (given.jobsUrl === null) urls['INNGEST_BASE_URL'] = settings.runner.url;
  const rates = settings.rates.url;
  if (!given.rates.url) urls['RATES_URL'] = rates;
  if (!given.rates.datedUrl) urls['RATES_DATED_URL'] = `${rates}/dated/{date}/v1`;
  if (!given.rates.solUrl) urls['SOL_PRICE_URL'] = rates;
  return urls;
}

/** The addresses of the embedded chain's nodes. */
export function nodeUrls({ url, secondPort }: Settings['chain']): string[] {
  return secondPort === null ? [url] : [url, `http://127.0.0.1:${secondPort}`];
}
