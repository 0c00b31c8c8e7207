#!/bin/sh
# Runs Android's adapter, its C and a vault on this machine: in a Java machine inside the test process, on stand-ins of the
# framework, at each level of Android.
#
# usage: test.sh [--api LEVEL] [ARGUMENT...]   one level alone; other arguments go to the tests
#        test.sh --sabotage [NAME...]          plant mistakes, see sabotage.sh
#        test.sh --coverage [--api LEVEL]      run them with those of the bridge, and print what they see, see coverage.sh
#        test.sh --build                       build what the tests need, and run none
#        test.sh --kills COUNT [LEVEL]         kill so many Java machines in the midst of a change of the store, and run no test
#        test.sh --stops                       stop every change of the store everywhere, twice, and print a table (make crash)
#        test.sh --bench                       prepare what thumbturn-bench starts, over the library that release.sh built
#
# Beside the tests 200 Java machines are killed, to see that a copied folder is what a killed process leaves.
# The stand-ins behave as Android's source and documentation say; what only a phone can show is in docs/android.md.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
scratch=$root/.build/android
json=/usr/share/java/json-android.jar # Android's own org.json, in Debian
levels='30 31 33 34 35 36'
# A copy of device and glue with a mistake in it: that is built in their place, and Swift is not built again.
planted=${THUMBTURN_ANDROID_PLANTED:-}
# Where coverage.sh wants what was counted.
coverage=${THUMBTURN_COVERAGE:-}

if [ "${1:-}" = --sabotage ]; then
    shift
    exec "$here/sabotage.sh" "$@"
fi
if [ "${1:-}" = --coverage ]; then
    shift
    exec "$here/coverage.sh" "$@"
fi
mode=${1:-}
if [ "${1:-}" = --api ]; then
    case " $levels " in
        *" ${2:-} "*) levels=$2 ;;
        *) echo "test-android: levels are $levels" >&2; exit 2 ;;
    esac
    shift 2
fi

java=$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")
mkdir -p "$scratch/standins" "$scratch/classes" "$scratch/lib" "$scratch/checked" "$scratch/app"
compile() {
    folder=$1
    path=$2
    shift 2
    # Java 8's language: what every Android of these levels knows.
    "$java/bin/javac" --release 8 -Xlint:all -Werror -d "$folder" -cp "$path:$json" "$@"
}
# shellcheck disable=SC2046  # no name has a space
[ -n "$planted" ] || compile "$scratch/standins" "$scratch/standins" \
    $(find "$here/standins/android" "$here/standins/org/thumbturn/standin" -name '*.java')
# shellcheck disable=SC2046
compile "$scratch/classes" "$scratch/standins" $(find "${planted:-$here}/device" -name '*.java')
compile "$scratch/standins" "$scratch/classes:$scratch/standins" "$here"/standins/org/thumbturn/device/*.java

# Runs one of the tests' programs in a Java machine of its own, with its files in memory where that can be.
program() {
    name=$1
    shift
    files=$(mktemp -d "$([ -w /dev/shm ] && echo /dev/shm || echo "${TMPDIR:-/tmp}")/thumbturn.XXXXXX")
    trap 'rm -rf "$files"' EXIT
    trap 'exit 130' INT TERM
    # shellcheck disable=SC2086  # words on purpose
    "$java/bin/java" -cp "$scratch/classes:$scratch/standins:$json" "org.thumbturn.device.$name" "$files" "$@" $levels
}
case $mode in
    --stops) program Stops; exit ;;
    --kills) levels=${3:-$levels}; program Kills "$2"; exit ;;
esac

# The glue, which Java loads as in a phone, and which finds the bridge in the tests' process.
glue() {
    # shellcheck disable=SC2086  # words on purpose
    clang ${coverage:+-fprofile-instr-generate -fcoverage-mapping} -shared -fPIC -g -Wall -Wextra -Werror -I "$java/include" -I "$java/include/linux" \
        -I "$root/Sources/System/CBridge/include" "${planted:-$here}/jni/thumbturn_jni.c" "$@"
}
if [ "$mode" = --bench ]; then
    mkdir -p "$scratch/bench"
    strip --strip-unneeded -o "$scratch/bench/libThumbturnBridge.so" "$root/.build/release/libThumbturnBridge.so"
    glue -O2 -L "$scratch/bench" -lThumbturnBridge -Wl,-rpath,"$scratch/bench" -o "$scratch/bench/libthumbturn.so"
    # A heap that neither grows nor is touched for the first time while it is measured.
    printf '%s\n' -Xms32m -Xmx32m -XX:+AlwaysPreTouch -XX:+UseSerialGC "-Djava.library.path=$scratch/bench" \
        -cp "$scratch/classes:$scratch/standins:$json" org.thumbturn.device.Bench >"$scratch/bench/options"
    exit
fi
# What C leaves undefined ends the tests; the second one watches each access to memory, too.
glue -fsanitize=undefined -fsanitize-trap=undefined -DTT_JNI_FLAGS=TT_MAIN_IS_SERVED -o "$scratch/lib/libthumbturn.so"
glue -fsanitize=address,undefined -fno-sanitize-recover=undefined -shared-libasan -DTT_JNI_FLAGS=TT_MAIN_IS_SERVED \
    -o "$scratch/checked/libthumbturn.so"

export THUMBTURN_JAVA="$java" THUMBTURN_TESTS=1
lean=$([ -n "${DEBUG:-}" ] || echo -debug-info-format none)
if [ -z "$planted" ]; then
    for product in ThumbturnBridge ThumbturnPackageTests; do
        # shellcheck disable=SC2086  # words on purpose
        THUMBTURN_QUICK=${THUMBTURN_QUICK:-ThumbturnAndroidTests} flock -o "$root/Package.swift" swift build --package-path "$root" \
            --product $product --quiet $lean
    done
    # The same over the library that an app loads, for machines of their own.
    glue -L "$root/.build/debug" -lThumbturnBridge -Wl,-rpath,"$root/.build/debug" -o "$scratch/app/libthumbturn.so"
fi
[ "$mode" != --build ] || exit 0

export THUMBTURN_ANDROID_CLASSES="$scratch/classes:$scratch/standins:$json" THUMBTURN_ANDROID_APP_LIBRARIES="$scratch/app"
[ -z "$coverage" ] || export JAVA_TOOL_OPTIONS="-javaagent:$coverage/agent.jar=destfile=$coverage/java.exec,includes=org.thumbturn.device.*"
log=$scratch/test.log
status=0
kills=
if [ -z "$planted$coverage" ] && [ $# -eq 0 ]; then
    (program Kills 200) >"$scratch/kills.log" 2>&1 &
    kills=$!
    trap 'kill "$kills" 2>/dev/null || true' EXIT
    trap 'exit 130' INT TERM
fi
# Runs the tests with the glue of a folder, at some levels, under variables of their own. Where a mistake is planted, one test that
# sees it is enough; the others would wait for what never comes.
run() {
    written=$1
    shift
    : >"$written"
    env "$@" >>"$written" 2>&1 &
    tests=$!
    while [ -n "$planted" ] && kill -0 "$tests" 2>/dev/null; do
        if grep -q 'recorded an issue' "$written"; then kill "$tests"; fi
        sleep 0.2
    done
    wait "$tests" || status=$?
}
suite="$root/.build/debug/ThumbturnPackageTests.xctest --testing-library swift-testing --filter ThumbturnAndroidTests"
checked=$scratch/checked.log
: >"$checked"
if [ -z "$coverage" ]; then
    # The sanitizer comes before all other libraries, and leaves SIGSEGV to Java's machine, which lives by it. The longest tests, of
    # which it makes minutes, call C as the others do.
    # shellcheck disable=SC2086  # words on purpose
    run "$checked" LD_PRELOAD="$(clang -print-file-name="libclang_rt.asan-$(uname -m).so")" \
        ASAN_OPTIONS=handle_segv=0:allow_user_segv_handler=1:detect_leaks=0 \
        THUMBTURN_ANDROID_LIBRARIES="$scratch/checked" THUMBTURN_ANDROID_LEVELS="${levels##* }" \
        $suite "$@" --skip AndroidMemoryTests --skip 'whole life|system mode'
    [ "$status" -ne 69 ] || status=0 # no test of these is asked for
    echo "test-android: $(sed -n 's/.*Test run with \([0-9]*\) tests* .*/\1/p' "$checked") tests under the address sanitizer"
fi
if [ "$status" -eq 0 ]; then
    # shellcheck disable=SC2086
    run "$log" THUMBTURN_ANDROID_LIBRARIES="$scratch/lib" THUMBTURN_ANDROID_LEVELS="$levels" $suite "$@"
else
    log=$checked
fi
grep -vE '^(kept|undecided|situations): |^[^ ]+ (Test (case |")|Suite ).*( started\.| passed after .*)$' "$log" || true
kept=$(grep -cE '^kept: [0-9]+ [a-zA-Z]+$' "$log" || true)
[ "$kept" -eq 0 ] || echo "test-android: $kept clauses kept, at the levels $levels"
sed -n 's/^undecided: [0-9]* \(.*\): \(.*\)/test-android: undecided here: \1, step \2 of docs\/android.md/p' "$log" | sort -u
count=$(sed -n 's/.*Test run with \([0-9]*\) tests* .*/\1/p' "$log" | tail -1)
failed=$(grep -E '^[^ ]+ Test .* failed after' "$log" | grep -cv ' Test run with ' || true)
if [ "${count:-0}" -eq 0 ]; then
    echo "test-android: no test ran, or the sanitizer ended them" >&2
    exit 1
fi
if [ -n "$kills" ]; then
    wait "$kills" || status=$?
    sed 's/^/test-android: /' "$scratch/kills.log"
fi
# Silence of -Xcheck:jni is a part of the proof.
if grep -nE '^(WARNING in native method|FATAL ERROR in native method)' "$checked" "$log"; then status=1; fi
echo "$((count - failed)) passed, $failed failed"
exit "$status"
