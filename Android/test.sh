#!/bin/sh
# Runs Android's adapter, its C and a vault on this machine: in a Java machine inside the test process, on stand-ins of the
# framework, at each level of Android.
#
# usage: test.sh [--api LEVEL] [--sabotage] [ARGUMENT...]   one level alone; plant mistakes, see sabotage.sh; others go to the tests
#
# The stand-ins behave as Android's source and documentation say; what only a phone can show is in docs/android.md.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
scratch=$root/.build/android
json=/usr/share/java/json-android.jar # Android's own org.json, in Debian
levels='30 31 33 34 35 36'

if [ "${1:-}" = --sabotage ]; then
    shift
    exec "$here/sabotage.sh" "$@"
fi
if [ "${1:-}" = --api ]; then
    case " $levels " in
        *" ${2:-} "*) levels=$2 ;;
        *) echo "test-android: levels are $levels" >&2; exit 2 ;;
    esac
    shift 2
fi

java=$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")
mkdir -p "$scratch/standins" "$scratch/classes" "$scratch/lib"
compile() {
    folder=$1
    path=$2
    shift 2
    # Java 8's language: what every Android of these levels knows.
    "$java/bin/javac" --release 8 -Xlint:all -Werror -d "$folder" -cp "$path:$json" "$@"
}
# shellcheck disable=SC2046  # no name has a space
compile "$scratch/standins" "$scratch/standins" $(find "$here/standins/android" "$here/standins/org/thumbturn/standin" -name '*.java')
# shellcheck disable=SC2046
compile "$scratch/classes" "$scratch/standins" $(find "${THUMBTURN_ANDROID_SOURCES:-$here/device}" -name '*.java')
compile "$scratch/standins" "$scratch/classes:$scratch/standins" "$here"/standins/org/thumbturn/device/*.java
# The glue is linked into the tests; what Java loads by its name is empty.
echo 'extern int thumbturn_is_linked_elsewhere;' | clang -shared -fPIC -x c - -o "$scratch/lib/libthumbturn.so"

export THUMBTURN_JAVA="$java" THUMBTURN_TESTS=1
lean=$([ -n "${DEBUG:-}" ] || echo -debug-info-format none)
# shellcheck disable=SC2086  # words on purpose
THUMBTURN_QUICK=ThumbturnAndroidTests flock -o "$root/Package.swift" swift build --package-path "$root" \
    --product ThumbturnPackageTests --quiet $lean

export THUMBTURN_ANDROID_CLASSES="$scratch/classes:$scratch/standins:$json" THUMBTURN_ANDROID_LIBRARIES="$scratch/lib"
export THUMBTURN_ANDROID_LEVELS="$levels"
log=$scratch/test.log
status=0
"$root/.build/debug/ThumbturnPackageTests.xctest" --testing-library swift-testing --filter ThumbturnAndroidTests "$@" \
    >"$log" 2>&1 || status=$?
grep -vE '^(kept|undecided|situations): |^[^ ]+ (Test (case |")|Suite ).*( started\.| passed after .*)$' "$log" || true
kept=$(grep -cE '^kept: [0-9]+ [a-zA-Z]+$' "$log" || true)
[ "$kept" -eq 0 ] || echo "test-android: $kept clauses kept, at the levels $levels"
sed -n 's/^undecided: [0-9]* \(.*\): \(.*\)/test-android: undecided here: \1, step \2 of docs\/android.md/p' "$log" | sort -u
count=$(sed -n 's/.*Test run with \([0-9]*\) tests* .*/\1/p' "$log" | tail -1)
failed=$(grep -cE '^[^ ]+ Test .* failed after' "$log" || true)
if [ "${count:-0}" -eq 0 ]; then
    echo "test-android: no test ran" >&2
    exit 1
fi
# Silence of -Xcheck:jni is a part of the proof.
if grep -nE '^(WARNING in native method|FATAL ERROR in native method)' "$log"; then status=1; fi
echo "$((count - failed)) passed, $failed failed"
exit "$status"
