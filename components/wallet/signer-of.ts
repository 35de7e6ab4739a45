import type { Adapter } from '@solana/wallet-adapter-base';
import { VersionedTransaction } from '@solana/web3.js';
import type { Signer } from './signer';

/** A connected adapter as a signer. */
export function signerOf(adapter: Adapter): Signer {
  const { publicKey } = adapter;
  if (!publicKey) throw new Error(`${adapter.name} is connected and names no address`);
  const address = publicKey.toBase58();
  const account = standardAccount(adapter, address);
  return {
    name: adapter.name,
    address,
    chains: account?.chains ?? null,
    signMessage: 'signMessage' in adapter ? (text) => adapter.signMessage(text) : null,
    signTransaction:
      'signTransaction' in adapter
        ? async (wire) =>
            (await adapter.signTransaction(VersionedTransaction.deserialize(wire))).serialize()
        : null,
    signIn: account?.signIn ?? null,
    signAndSend: account?.signAndSend ?? null,
    disconnect: () => adapter.disconnect(),
  };
}

type SignAndSend = {
  signAndSendTransaction(input: {
    account: object;
    transaction: Uint8Array;
    chain: string;
  }): Promise<unknown>;
};

/**
 * The account of a Wallet Standard wallet. Its own feature sends, as the adapter's would ask for the
 * address of a node, which pages do not have.
 */
function standardAccount(adapter: Adapter, address: string) {
  if (!('standard' in adapter)) return null;
  const { wallet } = adapter;
  const account = wallet.accounts.find((one) => one.address === address);
  if (!account) return null;
  const features: Readonly<Record<string, unknown>> = { ...wallet.features };
  const feature = features['solana:signAndSendTransaction'];
  const signIn = features['solana:signIn'];
  return {
    chains: account.chains,
    signIn: canSignIn(signIn)
      ? async (input: object) => {
          const [output] = await signIn.signIn(input);
          if (!output) throw new Error(`${adapter.name} signed nothing`);
          return output;
        }
      : null,
    signAndSend: canSend(feature)
      ? async (transaction: Uint8Array, chain: string) => {
          await feature.signAndSendTransaction({ account, transaction, chain });
        }
      : null,
  };
}

type SignIn = {
  signIn(...inputs: object[]): Promise<{ signedMessage: Uint8Array; signature: Uint8Array }[]>;
};

function canSignIn(feature: unknown): feature is SignIn {
  return (
    typeof feature === 'object' &&
    feature !== null &&
    'signIn' in feature &&
    typeof feature.signIn === 'function'
  );
}

function canSend(feature: unknown): feature is SignAndSend {
  return (
    typeof feature === 'object' &&
    feature !== null &&
    'signAndSendTransaction' in feature &&
    typeof feature.signAndSendTransaction === 'function'
  );
}
