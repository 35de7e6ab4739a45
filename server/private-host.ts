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

/** Second-level labels under which names are registered, as `co` in `co.uk`. */
const SHARED_LABELS: ReadonlySet<string> = new Set(['co', 'com', 'net', 'org', 'ac', 'gov']);

/**
 * The part of a URL's host that one provider registers: `example.com` of `rpc-2.example.com`, three labels under
 * `co.uk` and the like, an IP address as it is.
 */
export function providerOf(text: string): string {
  const host = new URL(text).hostname.replace(/\.$/, '').toLowerCase();
  if (isIP(host.replace(/^\[|\]$/g, '')) !== 0) return host;
  const labels = host.split('.');
  const isShared = labels.at(-1)?.length === 2 && SHARED_LABELS.has(labels.at(-2) ?? '');
  return labels.slice(isShared ? -3 : -2).join('.');
}
