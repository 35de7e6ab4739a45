#!/bin/bash
# Runs the Dockerfile's steps without Docker: `scripts/try-image.sh <empty folder> [<folder of another node>]`.
# The files of the commit are built there, the second stage is put together beside it, belongs to root and is not
# writable, and then runs as user 1000: migrations, then the app until it answers. Needs root, Debian's PostgreSQL.
set -euo pipefail
cd "$(dirname "$0")/.."
dir=$(realpath "$1")
[ -z "${2:-}" ] || PATH="$(realpath "$2"):$PATH"
[ -z "$(ls -A "$dir")" ] || { echo "$dir is not empty" >&2; exit 1; }
chmod 755 "$dir"
mkdir "$dir/build" "$dir/app" "$dir/data" "$dir/secrets"
echo "node $(node --version) in $dir"

# The Dockerfile with one instruction a line; what it says of /app and /data is said of folders here.
dockerfile=$(sed -e ':a' -e '/\\$/{N;s/\\\n *//;ba' -e '}' Dockerfile)
first=$(sed '/^FROM/{x;s/^/x/;/^xx/{x;q};x}' <<<"$dockerfile")
second=$(sed '1,/^FROM/d' <<<"$dockerfile" | sed '1,/^FROM/d')

git archive HEAD | tar -x -C "$dir/build"
while read -r command; do
  echo "+ $command"
  (cd "$dir/build" && bash -euo pipefail -c "$command")
done < <(sed -n 's/^RUN //p' <<<"$first")

while read -r words; do
  eval "set -- ${words//\/app\//$dir/build/}"
  to=${*: -1}
  cp -a "${@:1:$#-1}" "$dir/app/$to"
done < <(sed -n 's/^COPY --from=build //p' <<<"$second")
settings=$(sed -n 's/^ENV //p' <<<"$second" | sed "s#=/data#=$dir/data#")
chown -R root:root "$dir/app" && chmod -R go-w "$dir/app"
chown 1000:1000 "$dir/data"
du -sm "$dir/build" "$dir/app"

# A database whose password fits into no URL.
bin=$(ls -d /usr/lib/postgresql/*/bin | tail -n 1)
password="p@ss/w#rd %:'x"
port=$((20000 + RANDOM % 10000))
mkdir "$dir/postgres" && chown postgres "$dir/postgres"
as_postgres() { setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; }
printf '%s' "$password" >"$dir/pw" && chown postgres "$dir/pw"
as_postgres "$bin/initdb" -D "$dir/postgres/data" -U quittance -A scram-sha-256 --pwfile="$dir/pw" >/dev/null
as_postgres "$bin/pg_ctl" -w -D "$dir/postgres/data" -l "$dir/postgres/log" \
  -o "-p $port -c unix_socket_directories= -c listen_addresses=127.0.0.1" start >/dev/null
app=
end() {
  [ -z "$app" ] || kill "$app" 2>/dev/null || true
  as_postgres "$bin/pg_ctl" -w -m fast -D "$dir/postgres/data" stop >/dev/null
}
trap end EXIT
export PGPASSWORD=$password
psql -q "postgresql://quittance@127.0.0.1:$port/postgres" -c 'create database quittance'

# Keys of the owner alone, as OPERATION.md has them.
for name in minter storage fee-payer; do
  node -e '
    const { privateKey } = require("crypto").generateKeyPairSync("ed25519");
    const { d, x } = privateKey.export({ format: "jwk" });
    const bytes = [d, x].map((part) => Buffer.from(part, "base64url"));
    process.stdout.write(JSON.stringify([...Buffer.concat(bytes)]));
  ' >"$dir/secrets/$name.json"
done
chown 1000 "$dir"/secrets/*.json && chmod 400 "$dir"/secrets/*.json

web=$((port + 1))
as_user() {
  (cd "$dir/app" && exec setpriv --reuid=1000 --regid=1000 --clear-groups --no-new-privs --bounding-set=-all \
    env -i PATH="$PATH" HOME=/nonexistent PGPASSWORD="$PGPASSWORD" $settings NETWORK=local PORT="$web" LOG_LEVEL=warn \
    DATABASE_URL="postgresql://quittance@127.0.0.1:$port/quittance" PAY_TO=11111111111111111111111111111112 \
    MINTER_KEY_FILE="$dir/secrets/minter.json" STORAGE_KEY_FILE="$dir/secrets/storage.json" \
    FEE_PAYER_KEY_FILE="$dir/secrets/fee-payer.json" "$@")
}
as_user node --import tsx scripts/migrate.ts | tail -n 1
as_user node --import tsx scripts/admin.ts --help >/dev/null
if as_user sh -c ': >.written' 2>/dev/null; then echo 'the image can be written' >&2; exit 1; fi
as_user env NEXT_DIST_DIR=.next-image node node_modules/next/dist/bin/next start --port "$web" >"$dir/app.log" 2>&1 &
app=$!
for _ in $(seq 120); do
  curl -sf "http://127.0.0.1:$web/health/live" >/dev/null && break
  sleep 1
done
for path in /health/live / /docs /openapi.json; do
  echo "$(curl -s -o /dev/null -w '%{http_code}' "http://127.0.0.1:$web$path") $path"
done
[ "$(curl -s -o /dev/null -w '%{http_code}' "http://127.0.0.1:$web/docs")" = 200 ] || { tail "$dir/app.log"; exit 1; }
echo "the image's steps hold under node $(node --version)"
