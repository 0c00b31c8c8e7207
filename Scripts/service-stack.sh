#!/bin/bash
# A real server of PostgreSQL for the tests of the service, apart from this system: its own files in a folder, a free port of the
# loopback address, a password that nobody else has.
#
# usage: service-stack.sh up DIR              prints `export POSTGRES=URI`, which is what `thumbturnd serve --store` takes
#        service-stack.sh spread DIR          brings up two more, in DIR/worker1 and 2, on which tables of it can lie; prints
#                                             `export POSTGRES_WORKERS="URI URI"`
#        service-stack.sh down DIR            stops it and those, waits for their end, and removes their files
#        service-stack.sh check DIR           fails when anything of it is left
#        service-stack.sh start|stop DIR      the server alone, under the same address; stop --kill: as a crash does
#        service-stack.sh freeze|thaw DIR     lets no process of it run, and lets them run again
#
# Needs what `setup.sh --service` installs. PostgreSQL refuses to run as root, so there it runs as `postgres`, or else `nobody`,
# who must be able to walk to DIR. There too, a disk of 16 MiB is put into DIR, to be filled.
set -euo pipefail
command=${1:?up, spread, down, check, start, stop, freeze or thaw}
mkdir -p "${2:?a folder}"
folder=$(cd "$2" && pwd)
data=$folder/data
small=$folder/small
seconds=60 # until something that should come up counts as broken

bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)
[ -n "$bin" ] || bin=$(dirname "$(command -v postgres || echo /nowhere/postgres)")
[ -x "$bin/postgres" ] || { echo "service-stack: no server of PostgreSQL; run Scripts/setup.sh --service" >&2; exit 3; }

isRoot=no
[ "$(id -u)" -ne 0 ] || isRoot=yes
user=$(id -un)
if [ $isRoot = yes ]; then user=$(id -un postgres 2>/dev/null || echo nobody); fi

# Runs a program of PostgreSQL as who may, with nothing of this environment.
as() {
    local words=(env -i PATH="$bin:/usr/bin:/bin" LC_ALL=C.UTF-8 "$@")
    if [ $isRoot = yes ]; then (cd / && runuser -u "$user" -- "${words[@]}"); else (cd / && "${words[@]}"); fi
}

port() { cat "$folder/port"; }

# A port that nobody has now. Somebody may take it before the server does, so `up` tries again.
free_port() {
    /usr/bin/python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

start() {
    as "$bin/pg_ctl" start --silent --wait --timeout=$seconds --pgdata="$data" --log="$folder/server.log" \
        --options="-c listen_addresses=127.0.0.1 -c port=$(port) -c unix_socket_directories=''" </dev/null >/dev/null
}

# stop MODE: `fast` ends connections and writes all, `immediate` leaves the files as a crash does.
stop() {
    [ -e "$data/postmaster.pid" ] || return 0
    signal CONT
    as "$bin/pg_ctl" stop --silent --wait --timeout=$seconds --pgdata="$data" --mode="$1" >/dev/null
}

# The processes of the server: each works in its folder, and has the server's program.
processes() {
    local process
    for process in /proc/[0-9]*; do
        [ "$(readlink "$process/cwd" 2>/dev/null)" = "$data" ] || continue
        case $(readlink "$process/exe" 2>/dev/null) in */postgres) echo "${process#/proc/}" ;; esac
    done
}

# signal NAME: the parent last, for it watches over the others.
signal() {
    local process
    for process in $(processes | sort -rn); do kill "-$1" "$process" 2>/dev/null || true; done
}

# Nobody but the tests sees this disk, which holds a table space of theirs.
mount_small() {
    [ $isRoot = yes ] || return 0
    mkdir -p "$small"
    mount -t tmpfs -o "size=16m,mode=0700,uid=$(id -u "$user")" thumbturn-small "$small" 2>/dev/null || rmdir "$small"
}

spread() {
    local worker uris=
    for worker in "$folder/worker1" "$folder/worker2"; do uris="$uris $("$0" up "$worker" | sed 's/^export POSTGRES=//')"; done
    echo "export POSTGRES_WORKERS='${uris# }'"
}

# each_worker COMMAND
each_worker() {
    local worker
    for worker in "$folder"/worker[12]; do [ ! -d "$worker" ] || "$0" "$1" "$worker"; done
}

down() {
    each_worker down
    stop fast || stop immediate
    if mountpoint --quiet "$small" 2>/dev/null; then umount "$small"; fi
    rm -rf "$data" "$small" "$folder/port" "$folder/password" "$folder/server.log" "$folder"/worker[12]
}

up() {
    down
    chmod 755 "$folder"
    mkdir -m 700 "$data"
    (umask 077 && od -An -tx1 -N16 /dev/urandom | tr -d ' \n' >"$folder/password" && touch "$folder/server.log")
    [ $isRoot = no ] || chown "$user" "$data" "$folder/server.log" "$folder/password"
    as test -x "$folder" || { echo "service-stack: $user can't walk to $folder" >&2; exit 2; }
    as "$bin/initdb" --pgdata="$data" --username=thumbturn --auth=scram-sha-256 --pwfile="$folder/password" \
        --encoding=UTF8 --locale=C.UTF-8 --no-sync --no-instructions >/dev/null
    echo "max_connections = 300" >>"$data/postgresql.conf"
    for attempt in 1 2 3 4 5; do
        free_port >"$folder/port"
        chmod 644 "$folder/port"
        start && break
        [ "$attempt" -lt 5 ] || { tail -n 5 "$folder/server.log" >&2; down; exit 1; }
    done
    local uri
    uri="postgres://thumbturn:$(cat "$folder/password")@127.0.0.1:$(port)"
    rm "$folder/password"
    as "$bin/psql" --quiet --no-psqlrc "$uri/postgres" --command "CREATE DATABASE thumbturn" >/dev/null
    mount_small
    if [ -d "$small" ]; then
        as "$bin/psql" --quiet --no-psqlrc "$uri/thumbturn" --command "CREATE TABLESPACE small LOCATION '$small'" >/dev/null
    fi
    echo "export POSTGRES=$uri/thumbturn"
}

check() {
    local left=0 process
    each_worker check || left=1
    for process in $(processes); do
        echo "service-stack: left behind: $process $(tr '\0' ' ' <"/proc/$process/cmdline")" >&2
        left=1
    done
    for name in data small port password; do
        [ ! -e "$folder/$name" ] || { echo "service-stack: left behind: $folder/$name" >&2; left=1; }
    done
    return $left
}

case $command in
    up) up ;;
    spread) spread ;;
    down) down ;;
    check) check ;;
    start) start ;;
    stop) if [ "${3-}" = --kill ]; then stop immediate; else stop fast; fi ;;
    freeze) signal STOP ;;
    thaw) signal CONT ;;
    *) echo "service-stack: up, spread, down, check, start, stop, freeze or thaw, not '$command'" >&2; exit 2 ;;
esac
