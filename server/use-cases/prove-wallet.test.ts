import { expect, it } from 'vitest';
import { makeWallet } from '@/devnet/client/wallet';
import { ServiceError } from '@/server/errors';
import { readProofHeaders, readWalletProof } from './prove-wallet';

const wallet = makeWallet();
const TEXT = 'quittance:tx';
const EVM = '0x52908400098527886E0F7030069857D2E4169EE7';
const signature = wallet.signText(TEXT);

/** The wallet that headers prove, null for none, or the code of the refusal. */
function proven(headers: Record<string, string>): string | null {
  try {
    const proof = readProofHeaders(new Headers(headers));
    const limits = { state: null, rpcPoints: 0 };
    return readWalletProof({ kind: 'anyone', id: 'request', client: '', limits, proof }, TEXT);
  } catch (error) {
    return error instanceof ServiceError ? `${error.status} ${error.code}` : String(error);
  }
}

it.each<[string, Record<string, string>, string | null]>([
  ['nothing', {}, null],
  ['a lone EVM address', { 'X-Wallet-Address': EVM }, null],
  ['the same in small letters', { 'x-wallet-address': EVM.toLowerCase() }, null],
  ['a lone word', { 'X-WALLET-ADDRESS': 'me' }, null],
  ['a lone empty address', { 'x-wallet-address': '' }, null],
  ['a lone Solana address', { 'X-Wallet-Address': wallet.address }, '401 wallet_proof_missing'],
  ['a lone signature', { 'x-wallet-signature': signature }, '401 wallet_proof_missing'],
  [
    'an EVM address with a signature',
    { 'x-wallet-address': EVM, 'x-wallet-signature': signature },
    '401 wallet_proof_invalid',
  ],
  [
    'a signature of another wallet',
    { 'x-wallet-address': makeWallet().address, 'x-wallet-signature': signature },
    '401 wallet_proof_invalid',
  ],
  ['both', { 'X-Wallet-Address': wallet.address, 'X-Wallet-Signature': signature }, wallet.address],
])('%s in the wallet headers is %s', (_, headers, expected) => {
  expect(proven(headers)).toBe(expected);
});
