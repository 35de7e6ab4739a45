#!/bin/sh
# Removes the parts of node_modules that only builds use, in a folder without further builds. They are Next's
# compiler, TypeScript, image tools (the service resizes no images), and Prisma's command line, engines and studio.
# Prisma's client for PostgreSQL stays, and one package.json that shows whether the client is up to date. The fonts
# for drawing images stay. Pages have their fonts in the build. @vercel/og contains its dependencies, and Next
# replaces it by its own copy in a build.
set -eu
cd node_modules
rm -rf @next/swc-* @img sharp typescript @types elkjs @visx fast-check effect @electric-sql jiti
# The build contains the compiled texts, so a server needs no package for them (next.config.mjs).
rm -rf next-intl use-intl icu-minify next-intl-swc-plugin-extractor @eloqnt po-parser @parcel @swc/core* @swc/types @swc/counter
# The build contains the library of names, and nothing else loads it.
rm -rf @bonfida
# Parts of Next for builds, for development, and for features that are off.
rm -rf next/dist/esm next/dist/docs next/dist/compiled/next-devtools
rm -rf next/dist/compiled/*-experimental
rm -f next/dist/compiled/next-server/*.runtime.dev.js next/dist/compiled/next-server/*-experimental.runtime.prod.js
rm -rf @vercel/og/node_modules satori @resvg yoga-layout @shuding
# Parts of the storage library: sources, and packages for other chains, token programs and native builds.
rm -rf @solana/spl-token @solana/spl-token-group @solana/spl-token-metadata @solana/buffer-layout-utils bigint-buffer
rm -rf algosdk algo-msgpack-with-bigint hi-base32 vlq @randlabs @ethersproject/providers @ethersproject/web
rm -rf cardinal ansicolors redeyed esprima arweave-stream-tx js-sha512 js-sha256 node-addon-api secp256k1/node_modules/node-addon-api
rm -rf secp256k1/src secp256k1/prebuilds keccak/src keccak/prebuilds starknet/dist/index.global.js @irys/*/src @ethersproject/*/lib.esm @ethersproject/*/src.ts @ethersproject/*/dist
find @fontsource -type f ! -name package.json ! -name 'inter-*-400-normal.woff2' ! -name 'inter-latin-600-normal.woff2' \
  ! -name 'inter-latin-[46]00-normal.woff' ! -name 'jetbrains-mono-latin-400-normal.woff2' \
  ! -name 'noto-sans-*-arabic-400-normal.woff2' ! -name 'noto-sans-*-hebrew-400-normal.woff2' \
  ! -name 'noto-sans-*-devanagari-400-normal.woff2' ! -name 'noto-sans-*-thai-400-normal.woff2' \
  ! -name 'noto-sans-*-sinhala-400-normal.woff2' ! -name 'noto-sans-*-malayalam-400-normal.woff2' \
  ! -name 'noto-sans-jp-japanese-400-normal.woff2' ! -name 'noto-sans-kr-korean-400-normal.woff2' \
  ! -name 'noto-sans-sc-[0-9]*-400-normal.woff2' ! -name 'noto-color-emoji-emoji-400-normal.woff2' -delete
find prisma -mindepth 1 -maxdepth 1 ! -name package.json -exec rm -rf {} +
for name in @prisma/*; do
  case $name in
    @prisma/client | @prisma/client-runtime-utils | @prisma/adapter-pg | @prisma/driver-adapter-utils | @prisma/debug) ;;
    *) rm -rf "$name" ;;
  esac
done
rm -f @prisma/client/runtime/*mysql* @prisma/client/runtime/*sqlite* @prisma/client/runtime/*sqlserver* \
  @prisma/client/runtime/*cockroachdb*
find . -type f \( -name '*.map' -o -name '*.md' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete
