import type { Adapter } from '@solana/wallet-adapter-base';
import type { WalletContextState } from '@solana/wallet-adapter-react';
import { VersionedTransaction, type Connection } from '@solana/web3.js';
import { AnotherAccount, type Signer } from './signer';

type Connected = {
  /** As in {@link Signer}. */
  name: string;
} & Pick<
  WalletContextState,
  'signMessage' | 'signTransaction' | 'signIn' | 'sendTransaction' | 'disconnect'
> & {
    adapter: Adapter;
    /** The wallet's current account. */
    address: string;
    connection: Connection;
    /** Asks the wallet and waits for its answer. */
    wait: <T>(ask: () => Promise<T>) => Promise<T>;
  };

/**
 * A connected wallet as a signer for one account. After the wallet switches to another account, the
 * signer refuses. So a text or payment shown for one account is never signed by another.
 */
export function signerOf(o: Connected): Signer {
  const { adapter, address, connection, wait, signMessage, signTransaction, signIn } = o;
  const onAccount = () => {
    if (adapter.publicKey?.toBase58() === address) return;
    throw new AnotherAccount();
  };
  return {
    name: o.name,
    address,
    chains: chainsOf(adapter, address),
    signMessage: signMessage
      ? async (text) => {
          onAccount();
          return await wait(() => signMessage(text));
        }
      : null,
    signTransaction:
      signTransaction && givesBack(adapter)
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

/** Networks of the account, if the wallet names them. */
function chainsOf(adapter: Adapter, address: string): readonly string[] | null {
  if (!('standard' in adapter)) return null;
  return adapter.wallet.accounts.find((account) => account.address === address)?.chains ?? null;
}

/** Whether the wallet returns what it signed. Only some wallet apps have the method and do not. */
function givesBack(adapter: Adapter): boolean {
  return !('signsTransactions' in adapter) || adapter.signsTransactions === true;
}

/** Only these wallets send without one of our nodes, and pages have no node. */
function sendsItself(adapter: Adapter): boolean {
  if ('standard' in adapter) return 'solana:signAndSendTransaction' in adapter.wallet.features;
  return !givesBack(adapter);
}
