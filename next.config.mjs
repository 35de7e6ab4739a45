import { PHASE_PRODUCTION_SERVER } from 'next/constants.js';

/** On every answer; the Content-Security-Policy comes from proxy.ts (pages) and server/rest (the rest). */
const SECURITY_HEADERS = [
  // Browsers heed it over https alone.
  { key: 'Strict-Transport-Security', value: 'max-age=63072000; includeSubDomains' },
  { key: 'X-Content-Type-Options', value: 'nosniff' },
  { key: 'X-Frame-Options', value: 'DENY' },
  { key: 'Referrer-Policy', value: 'strict-origin-when-cross-origin' },
  // Wallets open windows of their own and must be able to answer.
  { key: 'Cross-Origin-Opener-Policy', value: 'same-origin-allow-popups' },
  {
    key: 'Permissions-Policy',
    value: 'camera=(), microphone=(), geolocation=(), payment=(), browsing-topics=()',
  },
];
/**
 * Where requests go that no page and no route has: a JSON 404 for all that did not ask for a page, and on REST paths
 * for everybody. A browser that opens an address of no page gets the HTML one, and so does one that moves between
 * pages (`rsc`). `npm run check` compares REST with the table of operations.
 */
const NO_PATH = '/bad-request/nothing';
const REST = [
  ...['mint', 'receipt', 'statement', 'verify', 'calculate', 'wallet', 'register', 'payments'],
  ...['pricing', 'webhooks', 'admin', 'health', 'metrics', 'version', '.well-known', 'api'],
];
const UNKNOWN_PATHS = [
  {
    source: `/(${REST.map((name) => name.replace('.', '\\.')).join('|')})/:path*`,
    destination: NO_PATH,
  },
  {
    source: '/:path*',
    missing: [
      { type: 'header', key: 'accept', value: '.*text/html.*' },
      { type: 'header', key: 'rsc' },
      { type: 'header', key: 'next-action' },
    ],
    destination: NO_PATH,
  },
];

/** @type {import('next').NextConfig} */
const config = {
  poweredByHeader: false,
  headers: async () => [{ source: '/:path*', headers: SECURITY_HEADERS }],
  rewrites: async () => ({ fallback: UNKNOWN_PATHS }),
  reactStrictMode: true,
  // A native library, which no bundler can take in, and the storage library: a build would hold five copies of it.
  serverExternalPackages: ['@napi-rs/canvas', '@irys/web-upload', '@irys/web-upload-solana'],
  // Images are served as stored, so resizing is off.
  images: { unoptimized: true },
  // `npm run check` checks the types of everything, once.
  typescript: { ignoreBuildErrors: true },
  // What a later build could take over: 230 MB and a third more work, for nothing where each build is the first.
  experimental: { turbopackFileSystemCacheForBuild: process.env.CI === undefined },
};

/**
 * A build compiles the texts of the pages, so that no browser loads a parser for them. A server of that build needs
 * none of the tools for it.
 */
export default async function withTexts(phase) {
  if (phase === PHASE_PRODUCTION_SERVER) return config;
  const { default: createNextIntlPlugin } = await import('next-intl/plugin');
  return createNextIntlPlugin({
    requestConfig: './i18n/request.ts',
    experimental: {
      messages: { path: './messages', format: 'json', locales: 'infer', precompile: true },
    },
  })(config);
}
