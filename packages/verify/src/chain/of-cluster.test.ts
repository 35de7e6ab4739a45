import { expect, test } from 'vitest';
import { GENESIS_HASH } from '../network';
import { lookUpRows } from '../statements/look-up-rows';
import type { ProofReader } from './chain-reader';
import { ofCluster } from './of-cluster';
import { RpcUnavailable } from './rpc-errors';

/** A node that has nothing but blocks without transactions. */
const nodeOf = (genesis: string | null): ProofReader => ({
  getTransaction: () => Promise.resolve(null),
  getSignatureStatuses: () => Promise.resolve([null]),
  getAccountInfo: () => Promise.resolve(null),
  getSignaturesForAddress: () => Promise.resolve([]),
  getBlock: () => Promise.resolve({ signatures: [] }),
  getOwnedAccounts: () => Promise.resolve([]),
  getGenesisHash: () =>
    genesis === null ? Promise.reject(new RpcUnavailable('no answer')) : Promise.resolve(genesis),
});
const ROW = { tx_signature: 'a signature', slot: 7 };

test.each([
  ['mainnet', GENESIS_HASH.mainnet, 'not_a_payment'],
  ['mainnet', GENESIS_HASH.devnet, 'transaction_not_found'],
  ['mainnet', 'a private cluster', 'transaction_not_found'],
  ['devnet', GENESIS_HASH.devnet, 'not_a_payment'],
  ['local', 'a private cluster', 'not_a_payment'],
  ['local', GENESIS_HASH.mainnet, 'transaction_not_found'],
  ['mainnet', null, 'transaction_not_found'],
] as const)(
  'on %s, a node of genesis %s that lacks a payment says that it is %s',
  async (network, genesis, code) => {
    const rpc = ofCluster(nodeOf(genesis), network);
    const payments = await lookUpRows([ROW], { rpc, network });
    expect(payments.get(ROW.tx_signature)).toMatchObject({ ok: false, code });
  },
);

test('a node of another cluster gives no answers, and one that does not name its cluster answers as before', async () => {
  const ask = (genesis: string | null) => ofCluster(nodeOf(genesis), 'mainnet').getAccountInfo('');
  await expect(ask(GENESIS_HASH.devnet)).rejects.toThrow('another cluster than mainnet');
  expect(await ask(null)).toBeNull();
});
