#!/bin/sh
# Shows the playground to a real browser: the tests of Tests/Command/Browser, with Debian's Chromium.
#
# usage: browser.sh venv          puts what drives the browser into .build/browser-venv, as it is pinned
#        browser.sh run [TEST…]   runs all tests, or those named, such as page_tests or phone_tests.TourTests
#        browser.sh serve         serves the page over a replayed phone, for whoever changes it
#        browser.sh lock          pins anew what requirements.in names
#
# Needs what `setup.sh --browser` installs, and to run what `make release` builds; PLAYGROUND names
# another program. Pictures go to .build/browser.
set -eu
cd "$(dirname "$0")/.."
tests=Tests/Command/Browser
venv=.build/browser-venv

# Made anew where the pins changed. The browser is Debian's: nothing else is downloaded.
make_venv() {
    digest=$(sha256sum "$tests/requirements.txt")
    [ "$(cat "$venv/pinned" 2>/dev/null)" != "$digest" ] || return 0
    rm -rf "$venv"
    python3 -m venv "$venv" || /usr/bin/python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check --require-hashes --only-binary :all: \
        --requirement "$tests/requirements.txt"
    printf '%s' "$digest" >"$venv/pinned"
}

lock() {
    tools=$(mktemp -d)
    trap 'rm -rf "$tools"' EXIT
    python3 -m venv "$tools"
    "$tools/bin/pip" install --quiet pip-tools
    (cd "$tests" && PIP_CONFIG_FILE=/dev/null "$tools/bin/pip-compile" --quiet --generate-hashes --strip-extras --no-header \
        --no-emit-find-links --allow-unsafe --upgrade requirements.in --output-file requirements.txt)
}

case ${1-} in
    venv) make_venv ;;
    run)
        make_venv
        shift
        rm -rf .build/browser
        if [ $# -eq 0 ]; then set -- discover -s "$tests" -p '*_tests.py'; fi
        PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$tests" exec "$venv/bin/python" -m unittest "$@"
        ;;
    serve) PYTHONDONTWRITEBYTECODE=1 exec python3 "$tests/fake.py" ;;
    lock) lock ;;
    *) echo "usage: browser.sh venv|run|serve|lock" >&2; exit 2 ;;
esac
