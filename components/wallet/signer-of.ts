import type { Adapter } from '@solana/wallet-adapter-base';
import type { WalletContextState } from '@solana/wallet-adapter-react';
import { VersionedTransaction, type Connection } from '@solana/web3.js';
import { AnotherAccount, type Signer } from './signer';

type Connected = Pick<
  WalletContextState,
  'signMessage' | 'signTransaction' | 'signIn' | 'sendTransaction' | 'disconnect'
> & {
  adapter: Adapter;
  /** The account that the wallet is on. */
  address: string;
  connection: Connection;
  /** Asks the wallet and waits for its answer. */
  wait: <T>(ask: () => Promise<T>) => Promise<T>;
};

/**
 * A connected wallet as a signer for one account. After the wallet switches to another account, the signer
 * refuses: a text or payment that was shown for one account is never signed by another.
 */
export function signerOf(o: Connected): Signer {
  const { adapter, address, connection, wait, signMessage, signTransaction, signIn } = o;
  const onAccount = () => {
    if (adapter.publicKey?.toBase58() === address) return;
    throw new AnotherAccount();
  };
  return {
    name: adapter.name,
    address,
    chains: chainsOf(adapter, address),
    signMessage: signMessage
      ? async (text) => {
          onAccount();
          return await wait(() => signMessage(text));
        }
      : null,
    signTransaction: signTransaction
      ? async (wire) => {
          onAccount();
          const transaction = VersionedTransaction.deserialize(wire);
          return (await wait(() => signTransaction(transaction))).serialize();
        }
      : null,
    signIn: signIn
      ? async (input) => {
          onAccount();
          const { signedMessage, signature } = await wait(() => signIn(input));
          return { signedMessage, signature };
        }
      : null,
    signAndSend: sendsItself(adapter)
      ? async (wire) => {
          onAccount();
          const transaction = VersionedTransaction.deserialize(wire);
          await wait(() => o.sendTransaction(transaction, connection));
        }
      : null,
    disconnect: o.disconnect,
  };
}

/** Networks that the account is for, where the wallet says so. */
function chainsOf(adapter: Adapter, address: string): readonly string[] | null {
  if (!('standard' in adapter)) return null;
  return adapter.wallet.accounts.find((account) => account.address === address)?.chains ?? null;
}

/** Only such wallets send without asking a node of ours, which pages have none of. */
function sendsItself(adapter: Adapter): boolean {
  return 'standard' in adapter && 'solana:signAndSendTransaction' in adapter.wallet.features;
}
