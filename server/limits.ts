import { z } from 'zod';

/**
 * The limits by name. `seconds` is the window; a limit without one is a budget of a UTC day.
 * `whenDown` is the behaviour while the store of the counts does not answer. Free reads continue.
 * Requests that move money or cost the service something do not.
 */
export const LIMITS = {
  /** Requests that read, by client address. */
  reads: { most: 120, seconds: 60, whenDown: 'open' },
  /** Questions for the state of a mint, by client address. */
  polls: { most: 600, seconds: 60, whenDown: 'open' },
  /** Requests to paid routes and sign-ins, by client address. */
  paid: { most: 20, seconds: 60, whenDown: 'closed' },
  /** Requests of a wallet that proved itself. */
  wallet: { most: 300, seconds: 60, whenDown: 'closed' },
  /** Calls to Solana nodes that requests cause, by client address. */
  rpc: { most: 600, seconds: 60, whenDown: 'open' },
  /** Free receipts a day: of a wallet, of a pair of wallets, of a client address, of all. */
  free_wallet: { most: 20, seconds: null, whenDown: 'closed' },
  free_pair: { most: 5, seconds: null, whenDown: 'closed' },
  free_client: { most: 50, seconds: null, whenDown: 'closed' },
  free_all: { most: 2_000, seconds: null, whenDown: 'closed' },
  /** Payments a day that we sign and that fail on chain: of a payer, of all. */
  failed_payer: { most: 5, seconds: null, whenDown: 'closed' },
  failed_all: { most: 500, seconds: null, whenDown: 'closed' },
} as const satisfies Record<
  string,
  { most: number; seconds: number | null; whenDown: 'open' | 'closed' }
>;

export type LimitName = keyof typeof LIMITS;
/** How much each limit lets through; null lets everything through. */
export type Limits = Readonly<Record<LimitName, number>> | null;

/** On the embedded stack one machine plays everybody. */
const LOCAL_FACTOR = 100;
const limitName = z.custom<LimitName>(
  (word) => typeof word === 'string' && Object.hasOwn(LIMITS, word),
);
const pair = z.tuple([
  limitName,
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
]);

/** The variable `LIMITS`: `off`, or `name=number` pairs that take the place of the defaults. */
export const limitsVariable = z
  .string()
  .transform((text, context): Partial<Record<LimitName, number>> | 'off' => {
    if (text.trim() === 'off') return 'off';
    const changed: Partial<Record<LimitName, number>> = {};
    for (const part of text.split(',').filter((one) => one.trim() !== '')) {
      const read = pair.safeParse(part.split('=').map((word) => word.trim()));
      if (read.success) changed[read.data[0]] = read.data[1];
      else
        context.addIssue({
          code: 'custom',
          message: `must be off, or pairs like reads=120 of ${Object.keys(LIMITS).join(', ')}`,
        });
    }
    return changed;
  })
  .optional();

/** The limits of a process. On `local` the defaults are a hundred times higher. */
export function chooseLimits(
  changed: z.output<typeof limitsVariable>,
  o: { isLocal: boolean },
): Limits {
  if (changed === 'off') return null;
  const factor = o.isLocal ? LOCAL_FACTOR : 1;
  const most = (name: LimitName) => changed?.[name] ?? LIMITS[name].most * factor;
  return {
    reads: most('reads'),
    polls: most('polls'),
    paid: most('paid'),
    wallet: most('wallet'),
    rpc: most('rpc'),
    free_wallet: most('free_wallet'),
    free_pair: most('free_pair'),
    free_client: most('free_client'),
    free_all: most('free_all'),
    failed_payer: most('failed_payer'),
    failed_all: most('failed_all'),
  };
}
