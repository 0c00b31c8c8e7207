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
floor=95 # percent of the lines of Sources/ThumbturnApple
tools=$(dirname "$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')")/../bin

mkdir -p "$scratch"
set -- --package-path "$here/StandIns" --scratch-path "$scratch" --enable-code-coverage "$@"
swift build --build-tests --package-path "$here/StandIns" --scratch-path "$scratch" --enable-code-coverage

# The simulated phone is one per process, so the tests take turns.
status=0
swift test --skip-build --disable-xctest --no-parallel "$@" >"$log" 2>&1 || status=$?
grep -vE '^[^ ]+ (Test|Suite) .* started|^[^ ]+ Test (case )?[^ ].* passed after' "$log" || true
[ "$status" -eq 0 ] || exit "$status"
count=$(sed -n 's/.*Test run with \([0-9]*\) tests* .*passed.*/\1/p' "$log" | tail -1)
if [ "${count:-0}" -eq 0 ]; then
    echo "test-apple: no test ran" >&2
    exit 1
fi
echo "test-apple: $count tests passed"

[ -d "$root/Sources/ThumbturnApple" ] || exit 0
binary=$(find "$scratch/debug/" -maxdepth 1 -name '*PackageTests.xctest')
"$tools/llvm-cov" report "$binary" -instr-profile "$scratch/debug/codecov/default.profdata" \
    "$here/StandIns/House/ThumbturnApple" >"$scratch/coverage.txt"
# Columns of llvm-cov: name, regions (3), functions (3), lines, missed lines, percent.
awk -v floor=$floor -v judged=$# '
    NF >= 10 && $8 ~ /^[0-9]+$/ { printf "%7s of %5d lines  %s\n", $10, $8, $1 }
    $1 == "TOTAL" { total = $8; percent = 100 * ($8 - $9) / ($8 ? $8 : 1) }
    END {
        if (!total) { print "test-apple: the coverage of ThumbturnApple could not be read"; exit 1 }
        if (judged > 5) exit 0
        if (percent < floor) { printf "test-apple: %.1f %% of the lines are reached, %d %% are wanted\n", percent, floor; exit 1 }
    }' "$scratch/coverage.txt"
