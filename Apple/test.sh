#!/bin/sh
# Runs the Apple adapters on this machine, against stand-ins of Apple's frameworks, and measures what the tests reach.
#
# usage: test.sh [ARGUMENT...]   the arguments go to `swift test`; the coverage of a part of the tests is not judged
#
# The stand-ins behave as Apple's published source and documentation say; what only a device can show stays open.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
scratch=$root/.build/stand-ins
log=$scratch/test.log
floor=95 # percent of the lines of Sources/Devices/ThumbturnApple
tools=$(dirname "$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')")/../bin

mkdir -p "$scratch"
whole=$([ $# -eq 0 ] && echo 1 || echo 0)
lean=$([ "${CI:-}" != true ] || echo -debug-info-format none) # nobody debugs what continuous integration builds
# shellcheck disable=SC2086  # words on purpose
set -- --package-path "$here/StandIns" --scratch-path "$scratch" --enable-code-coverage $lean "$@"
# A room that names no target which it imports would compile when that happens to be there first.
# shellcheck disable=SC2086
swift build --build-tests --package-path "$here/StandIns" --scratch-path "$scratch" --enable-code-coverage \
    --explicit-target-dependency-import-check error $lean

# The simulated phone is one per process, so the tests take turns.
status=0
swift test --skip-build --disable-xctest --no-parallel "$@" >"$log" 2>&1 || status=$?
grep -vE '^[^ ]+ (Test (case |")|Suite ).*( started\.| passed after .*)$' "$log" || true
[ "$status" -eq 0 ] || exit "$status"
count=$(sed -n 's/.*Test run with \([0-9]*\) tests* .*passed.*/\1/p' "$log" | tail -1)
if [ "${count:-0}" -eq 0 ]; then
    echo "test-apple: no test ran" >&2
    exit 1
fi
echo "test-apple: $count tests passed"

[ -d "$root/Sources/Devices/ThumbturnApple" ] || exit 0
binary=$(find "$scratch/debug/" -maxdepth 1 -name '*PackageTests.xctest')
"$tools/llvm-cov" export -format=lcov "$binary" -instr-profile "$scratch/debug/codecov/default.profdata" |
    awk -F : -v floor="$floor" -v whole="$whole" '
        $1 == "SF" { name = $2; ours = name ~ /\/ThumbturnApple\//; sub(/.*\/ThumbturnApple\//, "", name) }
        ours && $1 == "LF" { found = $2; lines += $2 }
        ours && $1 == "LH" { hit += $2; printf "%6.1f %% of %4d lines  %s\n", 100 * $2 / (found ? found : 1), found, name }
        END {
            if (!lines) { print "test-apple: no line of ThumbturnApple was measured"; exit 1 }
            percent = 100 * hit / lines
            printf "%6.1f %% of %4d lines  Sources/Devices/ThumbturnApple\n", percent, lines
            if (whole && percent < floor) { printf "test-apple: %d %% are wanted\n", floor; exit 1 }
        }'
