/** @type {import('next').NextConfig} */
const config = {
  poweredByHeader: false,
  reactStrictMode: true,
  // A running server keeps the build it serves while a newer one is made beside it.
  distDir: process.env.NEXT_DIST_DIR || '.next',
  // Pictures are stored files: nothing here resizes them, for nobody to pay the work of.
  images: { unoptimized: true },
  // `npm run check` checks the types of everything, once.
  typescript: { ignoreBuildErrors: true },
};

export default config;
