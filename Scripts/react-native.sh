#!/bin/sh
# Builds, checks and tests the React Native package with Debian's TypeScript and React; no registry is asked.
#
# usage: react-native.sh build         compiles ReactNative/src to ReactNative/build
#        react-native.sh check         type-checks all of it, expects what is planted to be refused, and compares the built files
#        react-native.sh run [TEST…]   runs all tests, or those named, such as hooks, and measures what they reach; android is all that
#                                      runs over the bridge
#        react-native.sh android       builds an Android app in a Java machine, which holds the vault through the bridge
#        react-native.sh list          prints what the package has, as npm would pack it
#
# Needs what `setup.sh --react-native` installs. real-library runs the thumbturn-playground in .build, and account thumbturnd beside
# it; PLAYGROUND names another.
# real-library runs once more over the Android app: React Native's module in Kotlin, the device in Java and the glue in C as they ship,
# over .build's libThumbturnBridge.so and the stand-ins of Android and of Expo.
set -eu
cd "$(dirname "$0")/.."
modules=/usr/share/nodejs
tests=.build/react-native
log=$tests/log

build() { tsc -p ReactNative "$@"; }

list() {
    (
        cd ReactNative
        folders=$(node -p 'JSON.parse(fs.readFileSync("package.json")).files.filter(fs.existsSync).join("\n")')
        # shellcheck disable=SC2086  # names without spaces
        { ls package.json LICENSE README* 2>/dev/null || true; find $folders -type f; } | LC_ALL=C sort
    )
}

check() {
    start=$(date +%s)
    mkdir -p $tests
    rm -rf $tests/built
    tsc -p ReactNative --outDir $tests/built
    diff -r $tests/built ReactNative/build || { echo 'react-native: ReactNative/build is not what src makes: Scripts/react-native.sh build' >&2; exit 1; }
    # Our declarations of React against those that Debian has.
    cat >$tests/tsconfig.json <<END
{
  "extends": "../../ReactNative/tsconfig.json",
  "compilerOptions": { "noEmit": true, "skipLibCheck": true, "rootDir": "/", "baseUrl": ".", "paths": { "react": ["$modules/@types/react"] } },
  "include": ["../../ReactNative/src", "../../ReactNative/declarations/expo.d.ts", "../../ReactNative/declarations/react-native.d.ts"]
}
END
    tsc -p $tests/tsconfig.json
    # Each planted mistake names in its first line the error that it has to get.
    told=$(tsc -p Tests/ReactNative/mistakes) && { echo 'react-native: the planted mistakes were accepted' >&2; exit 1; }
    for file in Tests/ReactNative/mistakes/*.ts; do
        error=$(sed -n '1s,^// refused: ,,p' "$file")
        lines=$(printf '%s\n' "$told" | grep -F "$(basename "$file")(" || true)
        case $lines in
            *"error $error"*) ;;
            *) echo "react-native: $file was to get $error, and got: ${lines:-nothing}" >&2; exit 1 ;;
        esac
    done
    echo $(($(date +%s) - start)) >$tests/checked
}

# The package as an app has it: what npm packs, and beside it what it needs.
install() {
    rm -rf $tests/package $tests/node_modules $tests/tests
    mkdir -p $tests/package $tests/node_modules/@thumbturn
    list | (cd ReactNative && xargs cp --parents -t ../$tests/package)
    ln -s ../../package $tests/node_modules/@thumbturn/react-native
    for name in react react-test-renderer react-is react-shallow-renderer scheduler object-assign loose-envify js-tokens; do
        cp -r $modules/$name $tests/node_modules/
    done
    cp -r Tests/ReactNative/stubs/* $tests/node_modules/
    tsc -p Tests/ReactNative
}

# Compiles Kotlin into a folder, and says why where it can't.
kotlin() {
    folder=$1
    shift
    kotlinc -jvm-target 1.8 -d "$folder" -cp "$path" "$@" >"$out/kotlin.log" 2>&1 || {
        cat "$out/kotlin.log" >&2
        exit 1
    }
}

# Builds the app, and says the command that starts it.
android() {
    here=$PWD/Android
    out=$PWD/$tests/android
    json=/usr/share/java/json-android.jar
    path=$out/standins:$out/device:$out/expo:$out/module:$json:/usr/share/java/kotlin-stdlib.jar
    java=$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")
    [ -e .build/debug/libThumbturnBridge.so ] || THUMBTURN_TESTS=1 swift build --product ThumbturnBridge --quiet >&2
    stamp=$({ find "$here/standins" "$here/device" "$here/expo" "$here/jni" ReactNative/android Tests/ReactNative/Android "$0" -type f | sort | xargs cat; } | sha256sum)
    if [ "$(cat "$out/stamp" 2>/dev/null)" != "$stamp" ]; then
        rm -rf "$out"
        mkdir -p "$out/standins" "$out/device" "$out/expo" "$out/module" "$out/host"
        # shellcheck disable=SC2046  # names without spaces
        javac --release 8 -Xlint:-options -d "$out/standins" $(find "$here/standins/android" "$here/standins/org/thumbturn/standin" -name '*.java') >&2
        # shellcheck disable=SC2046
        javac --release 8 -Xlint:-options -d "$out/device" -cp "$path" $(find "$here/device" -name '*.java') >&2
        kotlin "$out/expo" "$here"/expo/*.kt
        # shellcheck disable=SC2046
        kotlin "$out/module" $(find ReactNative/android -name '*.kt')
        javac -Xlint:all -Werror -d "$out/host" -cp "$path" Tests/ReactNative/Android/*.java >&2
        clang -shared -fPIC -std=gnu11 -O2 -Wall -Wextra -Werror -I Sources/System/CBridge/include -I "$java/include" -I "$java/include/linux" \
            "$here"/jni/*.c -L .build/debug -lThumbturnBridge -Wl,-rpath,"$PWD/.build/debug" -o "$out/libthumbturn.so"
        echo "$stamp" >"$out/stamp"
    fi
    # Descriptor 3 is a socket, which Java opens by no path. The glue's calls are checked; what starts quickly is tested often.
    echo "$java/bin/java -Xcheck:jni -Xmx128m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 --add-opens java.base/java.io=ALL-UNNAMED" \
        "-Djava.library.path=$out -cp $path:$out/host org.thumbturn.host.AndroidHost"
}

# All tests: ours, compiled, and those of the plugin and the example, which are JavaScript.
every() { find $tests/tests Tests/ReactNative/*/ -name '*.test.js' -not -name figures.test.js -not -name android.test.js | LC_ALL=C sort; }

# What is measured is measured alone, and without what counts lines.
run() {
    start=$(date +%s)
    install
    if [ $# -gt 0 ]; then
        for name in "$@"; do
            if [ "$name" = android ]; then over_the_bridge; else tested $tests/tests/"$name".test.js; fi
        done
        return
    fi
    tested $tests/tests/figures.test.js
    over_the_bridge >$tests/bridge.out 2>&1 &
    bridge=$!
    # shellcheck disable=SC2046  # names without spaces
    tested --experimental-test-coverage $(every)
    coverage
    wait $bridge || { cat $tests/bridge.out >&2; exit 1; }
    cat $tests/bridge.out
}

# The suite that needs a real library, and what is Android's own, over the Android app.
over_the_bridge() {
    log=$tests/log-bridge
    app=$(android)
    echo 'over the bridge:'
    # What -Xcheck:jni warns of stands among the app's lines, and no test can read it.
    THUMBTURN_ANDROID_APP=$app tested $tests/tests/real-library.test.js $tests/tests/android.test.js
    # Without what is built for it once. A busy machine takes longer, so this says it and fails nothing.
    took=$(($(date +%s) - start + $(cat $tests/checked 2>/dev/null || echo 0)))
    echo "figure: all of it: $took s of 90$([ $took -le 90 ] || echo ': OVER')"
}

# Fails where a test failed or was left out, or none ran.
tested() {
    timeout 600 node --test --test-reporter=tap "$@" >$log 2>&1 || { grep -E -A 30 '^ *not ok' $log; exit 1; }
    grep -E '^ *# (figure:|pass )' $log | sed 's/^ *# //'
    for word in fail skipped cancelled todo; do
        grep -q "^# $word 0\$" $log || { echo "react-native: a test was left out: $(grep "^# $word" $log)" >&2; exit 1; }
    done
    grep -qE '^# pass [1-9]' $log || { echo 'react-native: no test ran' >&2; exit 1; }
}

# Node's own table has a line for each file: its name, and the lines, branches and functions that were reached, in percent.
coverage() {
    sed -n 's/^# *//p' $tests/log | awk -F '|' -v names="$(cd ReactNative/build && echo *.js)" '
        BEGIN { count = split(names, list, " "); for (i in list) isBuilt[list[i]] = 1; least = 101 }
        { name = $1; gsub(/^.*package\/build\/|[ \t]/, "", name) }
        isBuilt[name] { found++; if ($2 + 0 < least) { least = $2 + 0; of = name } }
        END {
            printf "figure: coverage of the built lines: at least %.1f %% of each file (%s)\n", least, of
            if (found != count || least < 95) { print "react-native: 95 % of each file are expected, of " count " files; got " found; exit 1 }
        }'
}

case ${1-} in
    build) build ;;
    check) check ;;
    android) android ;;
    list) list ;;
    run)
        shift
        run "$@"
        ;;
    *) echo "usage: react-native.sh build|check|run|android|list" >&2; exit 2 ;;
esac
