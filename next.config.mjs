/** @type {import('next').NextConfig} */
const config = {
  poweredByHeader: false,
  reactStrictMode: true,
  // Native addon: loaded by Node at run time, never bundled.
  serverExternalPackages: ['@resvg/resvg-js'],
};

export default config;
