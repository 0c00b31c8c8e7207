#!/bin/bash
# Judges `thumbturnd` by clients that nobody of this project wrote: Tests/Service/ServicePeers.
#
# usage: service-peers.sh venv          puts their packages into .build/service-venv, as they are pinned
#        service-peers.sh run [ARGS]    runs them (POSTGRES names a server, for both stores); --help lists the arguments
#        service-peers.sh lock          pins anew what requirements.in names
#
# Needs what `setup.sh --service` installs. DAEMON, CHILD and COMMAND name the programs, by default those of `swift build`.
set -euo pipefail
cd "$(dirname "$0")/.."
peers=Tests/Service/ServicePeers
venv=.build/service-venv

# Made anew where the pins changed: a package that is no longer pinned is then gone too.
make_venv() {
    local digest
    digest=$(sha256sum "$peers/requirements.txt")
    [ "$(cat "$venv/pinned" 2>/dev/null)" != "$digest" ] || return 0
    rm -rf "$venv"
    python3 -m venv "$venv" || /usr/bin/python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check --require-hashes --only-binary :all: \
        --requirement "$peers/requirements.txt"
    printf '%s' "$digest" >"$venv/pinned"
}

lock() {
    local tools
    tools=$(mktemp -d)
    trap 'rm -rf "$tools"' EXIT
    python3 -m venv "$tools"
    "$tools/bin/pip" install --quiet pip-tools
    (cd "$peers" && PIP_CONFIG_FILE=/dev/null "$tools/bin/pip-compile" --quiet --generate-hashes --strip-extras --no-header \
        --no-emit-find-links --allow-unsafe --upgrade requirements.in --output-file requirements.txt)
}

case ${1-} in
    venv) make_venv ;;
    run)
        make_venv
        shift
        exec "$venv/bin/python" "$peers" --daemon "${DAEMON:-.build/debug/thumbturnd}" --child "${CHILD:-.build/debug/SRPChild}" \
            --command "${COMMAND:-.build/debug/thumbturn}" ${POSTGRES:+--postgres "$POSTGRES"} "$@"
        ;;
    lock) lock ;;
    *) echo "usage: service-peers.sh venv|run|lock" >&2; exit 2 ;;
esac
