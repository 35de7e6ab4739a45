import { isIP } from 'node:net';

/** Whether a URL names this machine or an address that no one outside can reach. */
export function isPrivateHost(text: string): boolean {
  const host = new URL(text).hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  if (host === 'localhost' || host.endsWith('.localhost') || host.endsWith('.local')) return true;
  if (isIP(host) === 4)
    return /^(0|10|127)\.|^169\.254\.|^192\.168\.|^172\.(1[6-9]|2\d|3[01])\.|^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./.test(
      host,
    );
  if (isIP(host) === 6) return /^(::1?$|f[cd]|fe[89ab]|::ffff:)/.test(host);
  return !host.includes('.');
}
