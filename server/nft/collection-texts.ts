import type { Env } from '@/server/env';
import type { MintKind } from './mint-state';

/** Name and address that a collection carries on chain: wallets show the name beside each NFT in it. */
export function collectionTexts(
  env: Pick<Env, 'serviceName' | 'publicUrl'>,
  holds: MintKind,
): { name: string; uri: string } {
  return {
    name: `${env.serviceName} ${holds}s`,
    uri: `${env.publicUrl}/.well-known/quittance.json`,
  };
}
