#!/bin/sh
# Runs the tests of Android's device and of the bridge, and prints how much of them the adapter, the glue and the bridge see.
#
# usage: coverage.sh [--api LEVEL]   as test.sh; 1 below 95 % of the lines of one of them
#
# Java is counted by JaCoCo, as Debian has it; C and Swift by clang and swiftc.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
scratch=$root/.build/android/coverage
floor=95
jars=/usr/share/java
tools=$(dirname "$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')")/../bin

rm -rf "$scratch"
mkdir -p "$scratch"
# Debian's agent names no class to begin with, and not what it stands on.
parts=$(for jar in org.jacoco.agent.rt org.jacoco.core asm asm-commons asm-tree asm-analysis; do printf '%s ' "$jars/$jar.jar"; done)
{
    printf 'Premain-Class: org.jacoco.agent.rt.internal.PreMain\nClass-Path: \n'
    for jar in $parts; do printf ' %s \n' "$jar"; done
} >"$scratch/manifest"
jar --create --file "$scratch/agent.jar" --manifest "$scratch/manifest"

export THUMBTURN_COVERAGE="$scratch" THUMBTURN_QUICK=ThumbturnAndroidTests,ThumbturnBridgeTests
export LLVM_PROFILE_FILE="$scratch/%m-%p.profraw"
"$here/test.sh" "$@"
"$root/.build/debug/ThumbturnPackageTests.xctest" --testing-library swift-testing --filter ThumbturnBridgeTests >"$scratch/bridge.log" 2>&1 || {
    tail -20 "$scratch/bridge.log"
    exit 1
}

status=0
# shellcheck disable=SC2086
java -cp "$(echo $parts | tr ' ' ':')" "$here/coverage/Report.java" "$scratch/java.exec" "$root/.build/android/classes" $floor || status=1
"$tools/llvm-profdata" merge -o "$scratch/all.profdata" "$scratch"/*.profraw
"$tools/llvm-cov" export -format=lcov "$root/.build/debug/ThumbturnPackageTests.xctest" -object "$root/.build/android/lib/libthumbturn.so" \
    -instr-profile "$scratch/all.profdata" |
    awk -F : -v floor="$floor" '
        $1 == "SF" { room = $2 ~ /\/ThumbturnBridge\// ? "ThumbturnBridge" : $2 ~ /\/Android\/jni\// ? "Android/jni" : ""; name = $2; sub(/.*\//, "", name) }
        room && $1 == "LF" { found = $2; lines[room] += $2 }
        room && $1 == "LH" { hit[room] += $2; if ($2 < found) printf "%6.1f %% of %4d lines  %s\n", 100 * $2 / found, found, name }
        END {
            for (each in lines) {
                percent = 100 * hit[each] / lines[each]
                printf "coverage: %.1f %% of %d lines  %s\n", percent, lines[each], each
                if (percent < floor) bad = 1
            }
            exit bad || length(lines) != 2
        }' || status=1
exit "$status"
