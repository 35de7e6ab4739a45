import { BaseMessageSignerWalletAdapter, WalletReadyState } from '@solana/wallet-adapter-base';
import type { WalletName } from '@solana/wallet-adapter-base';
import {
  Connection,
  Keypair,
  TransactionMessage,
  VersionedTransaction,
  type PublicKey,
} from '@solana/web3.js';
import { expect, test } from 'vitest';
import { signerOf } from './signer-of';

class SwitchingWallet extends BaseMessageSignerWalletAdapter {
  name = 'Switching' as WalletName<'Switching'>;
  url = '';
  icon = '';
  readyState = WalletReadyState.Installed;
  connecting = false;
  supportedTransactionVersions = null;
  publicKey: PublicKey = Keypair.generate().publicKey;
  asked = 0;
  connect = async () => {};
  disconnect = async () => {};
  signTransaction = async () => {
    throw new Error('not asked here');
  };
  signMessage = async () => {
    this.asked += 1;
    return new Uint8Array(64);
  };
}

/** A wallet app that signs and sends, and gives nothing back. It has the method for signing all the same. */
class SendingWallet extends SwitchingWallet {
  signsTransactions = false;
}

function connected(adapter = new SwitchingWallet()) {
  const sent: VersionedTransaction[] = [];
  const signer = signerOf({
    adapter,
    name: 'Switching',
    address: adapter.publicKey.toBase58(),
    connection: new Connection('http://localhost:8899'),
    wait: (ask) => ask(),
    signMessage: adapter.signMessage,
    signTransaction: adapter.signTransaction,
    signIn: undefined,
    sendTransaction: async (transaction) => {
      if (transaction instanceof VersionedTransaction) sent.push(transaction);
      return '';
    },
    disconnect: adapter.disconnect,
  });
  return { adapter, signer, sent };
}

test('a signer signs for its account alone: after a switch the wallet is not even asked', async () => {
  const { adapter, signer } = connected();
  await signer.signMessage?.(new Uint8Array(1));
  expect(adapter.asked).toBe(1);
  const { publicKey } = adapter;
  adapter.publicKey = Keypair.generate().publicKey;
  await expect(signer.signMessage?.(new Uint8Array(1))).rejects.toThrow('another account');
  expect(adapter.asked).toBe(1);
  adapter.publicKey = publicKey;
  await signer.signMessage?.(new Uint8Array(1));
  expect(adapter.asked).toBe(2);
});

test('an ability that a wallet lacks is null, so that the page can say so', () => {
  const { signer } = connected();
  expect([signer.signIn, signer.signAndSend]).toEqual([null, null]);
  expect(signer.signTransaction).not.toBeNull();
});

test('a wallet app that only signs and sends is asked to send, and never to give a signature back', async () => {
  const { adapter, signer, sent } = connected(new SendingWallet());
  expect(signer.signTransaction).toBeNull();
  const message = new TransactionMessage({
    payerKey: adapter.publicKey,
    recentBlockhash: Keypair.generate().publicKey.toBase58(),
    instructions: [],
  }).compileToV0Message();
  await signer.signAndSend?.(new VersionedTransaction(message).serialize());
  expect(sent).toHaveLength(1);
  adapter.publicKey = Keypair.generate().publicKey;
  const late = signer.signAndSend?.(new VersionedTransaction(message).serialize());
  await expect(late).rejects.toThrow('another account');
  expect(sent).toHaveLength(1);
});
