#!/bin/sh
# Takes out of node_modules, in a folder that is never built in again, what only builds use: Next's compiler,
# TypeScript, image tools (the service resizes none), and Prisma's command line with its engines and studio.
# Of Prisma stay the client for PostgreSQL, and one package.json that tells whether the client is up to date.
set -eu
cd node_modules
rm -rf @next/swc-* @img sharp typescript @types elkjs @visx fast-check effect @electric-sql jiti
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
