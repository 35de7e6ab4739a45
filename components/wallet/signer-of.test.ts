import { BaseMessageSignerWalletAdapter, WalletReadyState } from '@solana/wallet-adapter-base';
import type { WalletName } from '@solana/wallet-adapter-base';
import { Connection, Keypair, type PublicKey } from '@solana/web3.js';
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

function connected() {
  const adapter = new SwitchingWallet();
  const signer = signerOf({
    adapter,
    address: adapter.publicKey.toBase58(),
    connection: new Connection('http://localhost:8899'),
    wait: (ask) => ask(),
    signMessage: adapter.signMessage,
    signTransaction: undefined,
    signIn: undefined,
    sendTransaction: async () => '',
    disconnect: adapter.disconnect,
  });
  return { adapter, signer };
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

test('what a wallet cannot do is null, for the page to say so', () => {
  const { signer } = connected();
  expect([signer.signTransaction, signer.signIn, signer.signAndSend]).toEqual([null, null, null]);
});
