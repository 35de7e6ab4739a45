import { PUBLIC_NODES } from '../public-nodes';
import type { Site } from '../site-context';

/** A receipt or a statement, by its id. */
export type Proven = { kind: 'receipt' | 'statement'; id: string };

/**
 * The commands of docs/verify.md for one receipt or statement. They need only four files of this
 * service.
 */
export function checkCommand(
  { publicUrl, network }: Pick<Site, 'publicUrl' | 'network'>,
  { kind, id }: Proven,
): string {
  const wellKnown = `${publicUrl}/.well-known`;
  // The reader names the node of the test chain that they started.
  const node = network === 'local' ? '"$SOLANA_RPC_URL"' : PUBLIC_NODES[network];
  return [
    `curl -fsSO ${wellKnown}/quittance-verify.mjs`,
    `curl -fsS ${wellKnown}/quittance-verify.sha256 | sha256sum -c`,
    `curl -fsS ${publicUrl}/${kind}/${id}/proof > ${kind}.json`,
    `curl -fsS ${wellKnown}/quittance.json > quittance.json`,
    `node quittance-verify.mjs ${kind}.json --issuer quittance.json --rpc ${node}`,
  ].join('\n');
}
