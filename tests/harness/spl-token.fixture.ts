import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { payToken } from '@/devnet/client/pay-token';
import { walletOf } from '@/devnet/client/wallet';
import { childEnv } from '@/scripts/environment';

/**
 * The part of `spl-token` that the examples of the docs use: `transfer MINT AMOUNT RECEIVER
 * --with-memo MEMO --output json-compact`. The environment names the wallet and the node.
 */
const [command, , amount = '', to = '', ...options] = process.argv.slice(2);
const option = (name: string) => options[options.indexOf(name) + 1] ?? '';
if (command !== 'transfer' || option('--output') !== 'json-compact')
  throw new Error(`nothing that the examples do: ${process.argv.slice(2).join(' ')}`);
const { WALLET_KEY = '', SOLANA_RPC_URL = '' } = childEnv({});
const [whole = '', part = ''] = amount.split('.');
const signature = await payToken(SOLANA_RPC_URL, {
  from: walletOf(Keypair.fromSecretKey(bs58.decode(WALLET_KEY))),
  to,
  token: 'USDC',
  amount: BigInt(whole) * 1_000_000n + BigInt(part.padEnd(6, '0')),
  memo: option('--with-memo'),
});
console.log(JSON.stringify({ signature }));
