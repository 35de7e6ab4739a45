import { z } from 'zod';
import { PLANTED_DECIMALS, PLANTED_MINTS } from '../addresses';
import type { Faucet } from '../faucet';
import { RpcError } from '../rpc-error';
import { faultsSchema, lagSlots, type Faults } from './faults';
import { address } from './params';
import type { Route, Routes } from './serve-node';

const SOL_DECIMALS = 9;
const MAX_U64 = 2n ** 64n - 1n;
const symbols = PLANTED_MINTS.map((planted) => planted.symbol);

const faucetRequest = z
  .strictObject({
    wallet: address,
    sol: units(SOL_DECIMALS).optional(),
    token: z.enum(symbols, { error: `must be one of ${symbols.join(', ')}` }).optional(),
    amount: units(PLANTED_DECIMALS).optional(),
  })
  .refine((o) => o.sol !== undefined || o.token !== undefined, {
    error: 'give `sol`, or `token` and `amount`',
  })
  .refine((o) => (o.token === undefined) === (o.amount === undefined), {
    error: '`token` and `amount` go together',
  });
const nodeRequest = z.strictObject({ lagSlots });

/** Play money: `POST /faucet {wallet, sol?, token?, amount?}`, amounts in units of the token. */
export function faucetRoutes(faucet: Faucet, flush: () => Promise<void>): Routes {
  return {
    'POST /faucet': parsed(faucetRequest, async (o) => {
      const signatures: string[] = [];
      if (o.sol !== undefined) signatures.push(faucet.sendSol(o.wallet, o.sol));
      if (o.token !== undefined && o.amount !== undefined)
        signatures.push(faucet.sendToken(o.wallet, o.token, o.amount));
      await flush();
      return { success: true, signatures };
    }),
  };
}

/** Fault switches of one node, for tests. */
export function faultRoutes(faults: Faults): Routes {
  return {
    'GET /_faults': async () => ({ status: 200, body: faults.show() }),
    'DELETE /_faults': async () => {
      faults.clear();
      return { status: 200, body: faults.show() };
    },
    'POST /_faults': parsed(faultsSchema, async (o) => {
      faults.apply(o);
      return faults.show();
    }),
  };
}

/** Further nodes over the same ledger, for tests: `POST /_nodes {lagSlots}` gives `{url, wsUrl}`. */
export function nodeRoutes(
  open: (lagSlots: number) => Promise<{ url: string; wsUrl: string }>,
): Routes {
  return {
    'POST /_nodes': parsed(nodeRequest, async (o) => {
      const { url, wsUrl } = await open(o.lagSlots);
      return { url, wsUrl };
    }),
  };
}

function parsed<T extends z.ZodType>(
  schema: T,
  run: (value: z.infer<T>) => Promise<unknown>,
): Route {
  return async (body) => {
    const result = schema.safeParse(body);
    if (!result.success)
      return refusal(
        result.error.issues.map((i) => [i.path.join('.'), i.message].filter(Boolean).join(': ')),
      );
    try {
      return { status: 200, body: await run(result.data) };
    } catch (error) {
      if (error instanceof RpcError) {
        const logs = z.object({ logs: z.array(z.string()) }).safeParse(error.data).data?.logs ?? [];
        return refusal([error.message, ...logs]);
      }
      return refusal([error instanceof Error ? error.message : String(error)]);
    }
  };
}

function refusal(lines: string[]): { status: number; body: unknown } {
  return { status: 400, body: { success: false, error: lines.join('; ') } };
}

/** A positive decimal amount, as text or number, in base units. */
function units(decimals: number) {
  return z.union([z.string(), z.number()]).transform((value, ctx) => {
    const match = /^(\d+)(?:\.(\d+))?$/.exec(String(value));
    const fraction = match?.[2] ?? '';
    const amount = match ? BigInt(`${match[1]}${fraction.padEnd(decimals, '0')}`) : 0n;
    if (match && fraction.length <= decimals && amount > 0n && amount <= MAX_U64) return amount;
    ctx.addIssue(`must be a positive decimal number with at most ${decimals} decimals`);
    return z.NEVER;
  });
}
