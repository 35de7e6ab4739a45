# One image for the app, its commands (npm run migrate, doctor, tree:create, admin) and nothing embedded:
# NETWORK must be devnet or mainnet in it.
FROM node:20-bookworm-slim AS build
WORKDIR /app
# Install scripts of packages: package.json says which of them run.
COPY package.json package-lock.json .npmrc ./
COPY stubs ./stubs
RUN npm ci
COPY . .
RUN npm run generate && npm run build

FROM node:20-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production NEXT_TELEMETRY_DISABLED=1
COPY --from=build --chown=node:node /app /app
USER node
EXPOSE 3000
# Migrations first: when one fails, the start stops and the old version goes on.
# `exec` hands SIGTERM to the launcher, which lets requests under way end.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s \
  CMD node -e "fetch('http://127.0.0.1:3000/health/live').then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"
CMD ["sh", "-c", "exec node --import tsx scripts/start.ts"]
