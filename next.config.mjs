import { PHASE_PRODUCTION_SERVER } from 'next/constants.js';

/** Headers of every answer. The Content-Security-Policy comes from proxy.ts (pages) and server/rest (other paths). */
const SECURITY_HEADERS = [
  // Browsers obey it only over https.
  { key: 'Strict-Transport-Security', value: 'max-age=63072000; includeSubDomains' },
  { key: 'X-Content-Type-Options', value: 'nosniff' },
  { key: 'X-Frame-Options', value: 'DENY' },
  { key: 'Referrer-Policy', value: 'strict-origin-when-cross-origin' },
  // Wallets open their own windows, which must be able to answer.
  { key: 'Cross-Origin-Opener-Policy', value: 'same-origin-allow-popups' },
  {
    key: 'Permissions-Policy',
    value: 'camera=(), microphone=(), geolocation=(), payment=(), browsing-topics=()',
  },
];
/**
 * The target of requests without a page or route. On REST paths every client gets its JSON 404. On other paths, a
 * browser that opens an address or moves between pages (`rsc`) gets the HTML 404, and other clients get the JSON one.
 * `npm run check` compares REST with the table of operations.
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
  // A native library, which no bundler can include, and large libraries. A build would copy each of them up to seven
  // times, and the server would keep all copies in memory.
  serverExternalPackages: [
    ...['@napi-rs/canvas', '@irys/web-upload', '@irys/web-upload-solana', 'undici'],
    ...['@metaplex-foundation/umi', '@metaplex-foundation/umi-bundle-defaults'],
    ...['@metaplex-foundation/mpl-bubblegum', '@metaplex-foundation/mpl-toolbox'],
  ],
  // Images are served as stored, so resizing is off.
  images: { unoptimized: true },
  // `npm run check` checks the types of everything, once.
  typescript: { ignoreBuildErrors: true },
  // A cache for later builds: 230 MB and a third more work, useless where each build is the first.
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
