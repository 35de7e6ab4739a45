import { env } from '@/server/env';

/** Where anyone reads an item: its address at the gateway, by default the one of the settings. */
export function itemUri(id: string, gatewayUrl: string = env().storageGatewayUrl): string {
  return `${gatewayUrl}/${id}`;
}
