import { sign } from 'node:crypto';
import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { ed25519PrivateKey } from '@quittance/verify/ed25519';
import { childEnv } from '@/scripts/environment';

/**
 * The parts of `solana` that the examples of the docs use: `address`, and `sign-offchain-message
 * TEXT`. The latter signs the short off-chain message of version 0 like the real program.
 */
const [command, text = ''] = process.argv.slice(2);
const { WALLET_KEY = '' } = childEnv({});
const { publicKey, secretKey } = Keypair.fromSecretKey(bs58.decode(WALLET_KEY));

function offChainMessage(): Buffer {
  const body = Buffer.from(text);
  const length = Buffer.alloc(2);
  length.writeUInt16LE(body.length);
  const [version, restrictedAscii] = [0, 0];
  const domain = Buffer.from('\u00ffsolana offchain', 'latin1');
  return Buffer.concat([domain, Buffer.from([version, restrictedAscii]), length, body]);
}

if (command === 'address') console.log(publicKey.toBase58());
else if (command === 'sign-offchain-message')
  console.log(bs58.encode(sign(null, offChainMessage(), ed25519PrivateKey(secretKey))));
else throw new Error(`nothing that the examples do: ${process.argv.slice(2).join(' ')}`);
