import type { Adapter } from '@solana/wallet-adapter-base';
import { VersionedTransaction } from '@solana/web3.js';
import type { Signer } from './signer';

/** A connected adapter as a signer, which goes on working when the picker is gone. */
export function signerOf(adapter: Adapter): Signer {
  const { publicKey } = adapter;
  if (!publicKey) throw new Error(`${adapter.name} is connected and names no address`);
  const address = publicKey.toBase58();
  if ('standard' in adapter) return standardSigner(adapter.wallet, address);
  return {
    name: adapter.name,
    address,
    chains: null,
    signMessage: 'signMessage' in adapter ? (text) => adapter.signMessage(text) : null,
    signTransaction:
      'signTransaction' in adapter
        ? async (wire) =>
            (await adapter.signTransaction(VersionedTransaction.deserialize(wire))).serialize()
        : null,
    signIn: null,
    signAndSend: null,
    disconnect: () => adapter.disconnect(),
  };
}

type StandardWallet = {
  name: string;
  features: object;
  accounts: readonly { address: string; chains: readonly string[] }[];
};

/**
 * A Wallet Standard wallet by its own features: adapters of such wallets end with the list they were
 * found by, and to send they would ask for the address of a node, which pages do not have.
 */
function standardSigner(wallet: StandardWallet, address: string): Signer {
  const account = wallet.accounts.find((one) => one.address === address);
  if (!account) throw new Error(`${wallet.name} does not name the account it connected`);
  const find = (feature: string, method: string) => methodOf(wallet.features, feature, method);
  const signMessage = find('solana:signMessage', 'signMessage');
  const signTransaction = find('solana:signTransaction', 'signTransaction');
  const signIn = find('solana:signIn', 'signIn');
  const send = find('solana:signAndSendTransaction', 'signAndSendTransaction');
  const disconnect = find('standard:disconnect', 'disconnect');
  return {
    name: wallet.name,
    address,
    chains: account.chains,
    signMessage:
      signMessage &&
      (async (message) => bytesOf(await signMessage({ account, message }), 'signature')),
    signTransaction:
      signTransaction &&
      (async (transaction) =>
        bytesOf(await signTransaction({ account, transaction }), 'signedTransaction')),
    signIn:
      signIn &&
      (async (input) => {
        const outputs = await signIn(input);
        return {
          signedMessage: bytesOf(outputs, 'signedMessage'),
          signature: bytesOf(outputs, 'signature'),
        };
      }),
    signAndSend:
      send &&
      (async (transaction, chain) => {
        await send({ account, transaction, chain });
      }),
    disconnect: async () => {
      await disconnect?.({});
    },
  };
}

type Method = (input: object) => Promise<unknown>;

/** A method of a feature, called on its feature; null where the wallet lacks it. */
function methodOf(features: object, feature: string, method: string): Method | null {
  const found: unknown = Reflect.get(features, feature);
  if (typeof found !== 'object' || found === null) return null;
  const call: unknown = Reflect.get(found, method);
  if (typeof call !== 'function') return null;
  return async (input) => {
    const result: unknown = await Reflect.apply(call, found, [input]);
    return result;
  };
}

/** Bytes out of the first of the outputs that a standard method gives. */
function bytesOf(outputs: unknown, name: string): Uint8Array {
  const first: unknown = Array.isArray(outputs) ? outputs[0] : null;
  const bytes: unknown =
    typeof first === 'object' && first !== null ? Reflect.get(first, name) : null;
  if (bytes instanceof Uint8Array) return bytes;
  throw new Error(`The wallet answered without a ${name}.`);
}
