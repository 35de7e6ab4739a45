# One image for the app and its commands (npm run migrate, doctor, tree:create, admin), without the embedded stack.
# NETWORK must be devnet or mainnet in it. Its files belong to root and are never written. Only /data and /tmp are
# written, and both may be mounts of a read-only container.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
# package.json lists the packages whose install scripts run.
COPY package.json package-lock.json .npmrc ./
COPY stubs ./stubs
COPY packages/verify/package.json ./packages/verify/package.json
RUN npm ci
COPY . .
RUN npm run generate && npm run build && rm -rf .next/cache .next/sources.sha256 && \
  find .next -name '*.map' -delete
# Removes packages of tests and builds, and the parts of other packages that only builds use.
RUN npm prune --omit=dev && sh scripts/slim-packages.sh

FROM node:24.21.0-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production NEXT_TELEMETRY_DISABLED=1 npm_config_update_notifier=false npm_config_logs_max=0 \
  QUITTANCE_DATA_DIR=/data
ARG QUITTANCE_COMMIT=
ENV QUITTANCE_COMMIT=$QUITTANCE_COMMIT
RUN mkdir /data && chown node:node /data
COPY --from=build /app/package.json /app/tsconfig.json /app/next.config.mjs ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/generated ./generated
COPY --from=build /app/prisma ./prisma
COPY --from=build /app/server ./server
COPY --from=build /app/scripts ./scripts
COPY --from=build /app/packages ./packages
COPY --from=build /app/public ./public
COPY --from=build /app/.next ./.next
USER node
VOLUME /data
EXPOSE 3000
# On this signal the launcher lets open requests end.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT||3000}/health/live`).then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"]
# Migrations run first. If one fails, the start stops and the old version continues.
CMD ["node", "--import", "tsx", "scripts/start.ts"]
