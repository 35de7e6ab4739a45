/** A receipt or a statement, by its id. */
export type Proven = { kind: 'receipt' | 'statement'; id: string };

type Site = { publicUrl: string; network: 'local' | 'devnet' | 'mainnet' };

/** A node that anyone may ask. Of the test chain, the reader names the one that was started. */
const NODES: Readonly<Record<Site['network'], string>> = {
  mainnet: 'https://api.mainnet-beta.solana.com',
  devnet: 'https://api.devnet.solana.com',
  local: '"$SOLANA_RPC_URL"',
};

/** The commands of docs/verify.md for one receipt or statement: they need nothing of ours but four files. */
export function checkCommand({ publicUrl, network }: Site, { kind, id }: Proven): string {
  const wellKnown = `${publicUrl}/.well-known`;
  return [
    `curl -fsSO ${wellKnown}/quittance-verify.mjs`,
    `curl -fsS ${wellKnown}/quittance-verify.sha256 | sha256sum -c`,
    `curl -fsS ${publicUrl}/${kind}/${id}/proof > ${kind}.json`,
    `curl -fsS ${wellKnown}/quittance.json > quittance.json`,
    `node quittance-verify.mjs ${kind}.json --issuer quittance.json --rpc ${NODES[network]}`,
  ].join('\n');
}
