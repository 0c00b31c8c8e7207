#!/bin/bash
# Checks that whatever tests and scripts start is there on a fresh machine: a program of the packages that Debian requires, of the
# toolchain, make or git, or one that setup.sh names, or one that a script goes without.
#
# usage: check-programs.sh [--self-test]   exit 1 where one is missing; --self-test plants one, and expects to be told
set -euo pipefail
cd "$(dirname "$0")/.."
command -v dpkg-query >/dev/null || exit 0

# What Swift starts by its path, or by its name as the first word of a list.
ofTests() {
    find Tests Sources/Workshop/ThumbturnTestKit "$@" -name '*.swift' -print0 | xargs -0 grep -hoE \
        '"/(usr/)?s?bin/[A-Za-z0-9_.+-]+"|Command\(\[?"[a-z0-9_-]+"|^ *"(curl|openssl|python3|strace)"' \
        | sed -E 's/.*[/"]([^/"]+)"$/\1/'
}

# The words of our scripts that stand where a command stands, if this machine has such a program.
ofScripts() {
    sed -E 's/(^|[ \t])#.*//' Makefile Scripts/*.sh Apple/*.sh .ci/run \
        | grep -oE '(^|[|;&(`!]|\<(if|then|do|else|exec|sudo|nice)) *@?[a-z][a-z0-9_.+-]+( |$)' \
        | grep -oE '[a-z][a-z0-9_.+-]+ *$' | tr -d ' ' | sort -u \
        | while read -r word; do [ "$(type -t "$word")" != file ] || echo "$word"; done
}

missing() {
    local word path package
    {
        ofTests "$@"
        ofScripts
    } | sort -u | while read -r word; do
        ! grep -qE "command -v \"?$word\b|/$word\b" Scripts/*.sh || continue
        # Of what this machine lacks, the name alone tells the package.
        case $word in tpm2_*) ! grep -q '\<tpm2-tools\>' Scripts/setup.sh || continue ;; esac
        path=$(type -P "$word") || { echo "$word"; continue; }
        path=$(readlink -f "$path")
        case $path in */opt/* | */swift* | */clang* | */ld*) continue ;; esac
        package=$({ dpkg-query -S "$path" || dpkg-query -S "${path#/usr}"; } 2>/dev/null | head -n 1 | cut -d: -f1) || true
        case $(dpkg-query -W -f '${Essential} ${Priority} ${Package}\n' "${package:-none}" 2>/dev/null) in
            yes* | *required* | *' make' | *' git' | *' binutils'* | *' procps') ;;
            *) grep -qE "\b${package:-none}\b" Scripts/setup.sh || echo "$word" ;;
        esac
    done
}

if [ "${1-}" = --self-test ]; then
    planted=$(mktemp -d)
    trap 'rm -rf "$planted"' EXIT
    echo '        try Command("no-such-program")' >"$planted/A.swift"
    told=$(missing "$planted")
    [ "$told" = no-such-program ] || { echo "check-programs: of a planted program it told: $told" >&2; exit 1; }
    exit 0
fi
found=$(missing)
# shellcheck disable=SC2086  # the names are words on purpose
[ -z "$found" ] || { echo "check-programs: setup.sh does not bring:" $found >&2; exit 1; }
