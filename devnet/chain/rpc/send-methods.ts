import { z } from 'zod';
import { encodeAccount } from '../encode/encode-account';
import { encodeInner } from '../encode/encode-transaction';
import type { Simulation } from '../chain';
import { invalidParams } from '../rpc-error';
import type { ChainNode } from './node';
import { address, commitment, config, optional, parseParams, type Methods } from './params';
import { wireBytes } from './transaction-methods';

const wireEncoding = z.enum(['base58', 'base64']).nullish();
const sendConfig = z.object({
  encoding: wireEncoding,
  skipPreflight: z.boolean().nullish(),
  preflightCommitment: commitment.nullish().transform((value) => value ?? 'finalized'),
  maxRetries: z.number().int().nullish(),
  minContextSlot: z
    .number()
    .int()
    .nullish()
    .transform((value) => value ?? undefined),
});
const simulateConfig = config.extend({
  encoding: wireEncoding,
  sigVerify: z.boolean().nullish(),
  replaceRecentBlockhash: z.boolean().nullish(),
  innerInstructions: z.boolean().nullish(),
  accounts: z
    .object({
      addresses: z.array(address),
      encoding: z.enum(['base64', 'jsonParsed']).nullish(),
    })
    .nullish(),
});

/** Sending and simulating. */
export const sendMethods: Methods = {
  sendTransaction(params, node) {
    const [text, o] = parseParams(params, z.string(), optional(sendConfig));
    const skipPreflight = o.skipPreflight === true;
    const level = o.preflightCommitment;
    if (!skipPreflight) {
      node.requireHealth();
      node.requireContextSlot({ commitment: level, minContextSlot: o.minContextSlot });
    }
    const wire = wireBytes(text, o.encoding);
    return node.chain.send(wire, { skipPreflight, preflightSlot: node.slot(level) });
  },

  simulateTransaction(params, node) {
    const [text, o] = parseParams(params, z.string(), optional(simulateConfig));
    node.requireContextSlot(o);
    if (o.sigVerify && o.replaceRecentBlockhash)
      throw invalidParams('sigVerify may not be used with replaceRecentBlockhash');
    const simulation = node.chain.simulate(wireBytes(text, o.encoding), {
      sigVerify: o.sigVerify === true,
      replaceRecentBlockhash: o.replaceRecentBlockhash === true,
      atSlot: node.slot(o.commitment),
    });
    return node.context(o.commitment, print(node, simulation, o));
  },

  requestAirdrop(params, node) {
    const lamports = z.number().int().positive();
    const [wallet, amount] = parseParams(params, address, lamports, optional(config));
    return node.faucet.sendSol(wallet, BigInt(amount));
  },
};

function print(node: ChainNode, simulation: Simulation, o: z.infer<typeof simulateConfig>) {
  const { meta, keys, posts } = simulation;
  const after = (key: string) => posts.get(key) ?? node.account(key, o.commitment);
  const replacement = node.chain.latestBlockhash(node.slot(o.commitment));
  return {
    accounts:
      o.accounts?.addresses.map((key) =>
        encodeAccount(after(key), { encoding: o.accounts?.encoding ?? 'base64' }, after),
      ) ?? null,
    err: simulation.err,
    // As in Agave since 3.0 (anza-xyz/agave PR #6750).
    fee: meta?.fee ?? null,
    preBalances: meta?.preBalances ?? null,
    postBalances: meta?.postBalances ?? null,
    innerInstructions: o.innerInstructions
      ? (meta?.innerInstructions ?? []).map((group) => ({
          index: group.index,
          instructions: group.instructions.map((ix) => encodeInner(ix, keys, 'jsonParsed')),
        }))
      : null,
    loadedAccountsDataSize: 0,
    logs: meta?.logMessages ?? [],
    ...(o.replaceRecentBlockhash ? { replacementBlockhash: replacement } : {}),
    returnData: meta?.returnData ?? null,
    unitsConsumed: meta?.computeUnitsConsumed ?? 0,
  };
}
