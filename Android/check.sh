#!/bin/sh
# Compiles for Android what an app gets, without NDK, Android SDK or Swift's SDK for Android: the rooms to object code, for both
# kinds of 64-bit phones at API 30; the glue in C, against AOSP's own jni.h; the device in Java, against the stand-ins; React
# Native's module in Kotlin, against names of Expo's written by hand (expo/). Each class and member of Android's that Java and
# Kotlin name has to be in api.txt, and what came after API 30 behind a guard. The example's manifest has to compile, and to keep
# the vault out of backups.
#
# It catches what Linux lets pass: a call that Bionic lacks, a pointer that may not be null there, a method that an old phone lacks.
# It shows nothing about behaviour, and believes the hand-written declarations in this folder: nothing is linked, and a release
# still needs a phone. It rests on details of the toolchain (written for Swift 6.3), so it is a check, never a product.
#
# Then the check is checked: every mistake in planted/ must fail with the message that the file names.
#
# usage: check.sh [--manifest FILE]   the check of a manifest alone
set -eu
if [ "$(uname -s)" != Linux ]; then
    echo "check-android: it needs Debian's packages; on a Mac, build with Swift's SDK for Android (docs/android-build.md)"
    exit 0
fi

here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
sdk=$root/.build/android-sdk
built=$root/.build/android-rooms # not in the SDK: package access is refused to what comes from one
machines='aarch64 x86_64'

# What is compiled, in the order in which it imports.
rooms='ThumbturnRules ThumbturnJSON ThumbturnFiles ThumbturnCrypto ThumbturnDevice ThumbturnSQLite ThumbturnAudit ThumbturnBase
    Thumbturn ThumbturnContracts ThumbturnCredentials ThumbturnAccount ThumbturnScreenJSON ThumbturnUI ThumbturnHost ThumbturnBridge'
modules='CSystem COpenSSL CSodium CArgon2 CSQLite CBridge/include'

strict=$("$root/Scripts/strict-settings.sh")
failed=0
say() { printf 'check-android: %-24s %-10s %s\n' "$1" "$2" "$3"; }
fail() {
    failed=1
    say "$1" "$2" "FAILED: $3"
    sed -n '1,40s/^/    /p' "$log" || true
}

# --- the generated folder: made again when the toolchain or this folder changes ---------------------------------------

stamp=$({ swiftc --version 2>&1; cat "$here/build-sdk.sh" "$here"/include/* "$here"/overlay/*; } | sha256sum)
if [ "$(cat "$sdk/stamp" 2>/dev/null)" != "$stamp" ]; then
    rm -rf "$sdk"
    "$here/build-sdk.sh" "$sdk"
    echo "$stamp" >"$sdk/stamp"
fi

# What was found good stays good as long as nothing that it was made of changes. The key of a room covers those before it.
held() { [ "$(cat "$built/$1.held" 2>/dev/null)" = "$2" ]; }
hold() { echo "$2" >"$built/$1.held"; }
base=$(echo "$stamp $strict" | cat - "$0" "$root"/Sources/System/*/shim.h | sha256sum)

# --- the rooms --------------------------------------------------------------------------------------------------------

# compile MACHINE MODULE FILE...: compiles the files as one module that the next rooms can import, down to object code, since data
# races and misuse of noncopyable values are found only after type-checking.
compile() {
    machine=$1 module=$2
    shift 2
    mkdir -p "$built/$machine"
    includes=
    for name in $modules; do includes="$includes -I $root/Sources/System/$name"; done
    # shellcheck disable=SC2086  # the settings are words on purpose
    swiftc -target "$machine-unknown-linux-android30" -sdk "$sdk" -resource-dir "$sdk/resources" \
        -module-cache-path "$sdk/cache" -I "$sdk/modules" $includes -I "$built/$machine" $strict -D WITHOUT_FOUNDATION \
        -diagnostic-style llvm -whole-module-optimization -parse-as-library -emit-module -emit-module-path "$built/$machine/$module.swiftmodule" \
        -c -o "$built/$machine/$module.o" -module-name "$module" "$@" >"$log" 2>&1
}

# Says what an object file does not call, or calls of the system's though Bionic, as far as bionic.h knows it, has no such thing.
miscalls() {
    symbols=$("$sdk/resources/bin/llvm-nm" --undefined-only --format=just-symbols "$1" 2>"$log")
    for wanted in $2; do
        echo "$symbols" | grep -q "$wanted" || printf '%s is never called; ' "$wanted"
    done
    for symbol in $(echo "$symbols" | grep -vE '^(\$s|_?_?swift_|_swift|__swift|sqlite3_|sodium_|crypto_|randombytes_|argon2|EVP_|BN_|EC_|OSSL_|OPENSSL_|CRYPTO_|RAND_|CONF_|ERR_|d2i_|i2d_|__stack_chk|main_actor_)'); do
        grep -qE "[ *]$symbol\\(" "$here/include/bionic.h" || printf '%s is not in bionic.h; ' "$symbol"
    done
}

# What a room calls of the system. Compiling alone would not show what `#if` left out.
calls() {
    case $1 in
        ThumbturnFiles) echo renameat2 fdatasync flock pthread_create ;;
        ThumbturnCrypto) echo EVP_ crypto_pwhash argon2id_ctx pthread_mutex_lock ;;
        ThumbturnSQLite) echo sqlite3_open_v2 ;;
        ThumbturnUI) echo 11Observation ;;
    esac
}

# check MACHINE: compiles the rooms, as far as they or what they import have changed.
check() {
    log=$sdk/log-$1 key=$base
    mkdir -p "$built/$1/planted"
    for room in $rooms; do
        files=$(find "$root"/Sources/*/"$room" -name '*.swift' | sort)
        count=$(echo "$files" | wc -l)
        # shellcheck disable=SC2086
        key=$(echo "$key" | cat - $files | sha256sum)
        if held "$1/$room" "$key"; then
            say "$room" "$1" "$count files unchanged"
            continue
        fi
        rm -f "$built/$1/$room".*
        # shellcheck disable=SC2086
        if ! compile "$1" "$room" $files; then
            fail "$room" "$1" "does not compile"
            continue # the rooms that do not import it still have something to say
        fi
        say "$room" "$1" "$count files compile"
        wrong=$(miscalls "$built/$1/$room.o" "$(calls "$room" | tr '\n' ' ')")
        if [ -n "$wrong" ]; then fail "$room" "$1" "${wrong%; }"; else hold "$1/$room" "$key"; fi
    done
    echo "$key" >"$built/$1/rooms"
}

# --- the glue in C ----------------------------------------------------------------------------------------------------

# glue MACHINE FILE: compiles a file of C. Warnings are errors, as in Swift.
glue() {
    "$sdk/resources/bin/clang" "--target=$1-linux-android30" --sysroot="$sdk" -nostdlibinc -isystem "$sdk/usr/include" \
        -I "$root/Sources/System/CBridge/include" -std=c11 -O2 -Wall -Wextra -Wconversion -Wsign-compare -Werror -c "$2" -o "$built/$1/glue.o" >"$log" 2>&1
}

# --- Java -------------------------------------------------------------------------------------------------------------

# java8 OUT CLASSES FILE...: compiles the files with the language and the library of Java 8, which API 30 has.
java8() {
    out=$1 classes=$2
    shift 2
    rm -rf "$out"
    mkdir -p "$out"
    javac --release 8 -encoding UTF-8 -Xlint:all -Werror -cp "$classes" -d "$out" "$@" >"$log" 2>&1
}

json=/usr/share/java/json-android.jar # Android's own org.json

# --- Kotlin -----------------------------------------------------------------------------------------------------------

# kotlin OUT CLASSES FILE...: compiles the files with Debian's compiler, which is of 2019: what it takes, a newer one takes too.
kotlin() {
    out=$1 classes=$2
    shift 2
    rm -rf "$out"
    mkdir -p "$out"
    kotlinc -jvm-target 1.8 -Werror -cp "$classes" -d "$out" "$@" >"$log" 2>&1
}

# What React Native's module is compiled against; Expo and React Native are hand-written in expo/.
ours=$built/expo:$built/standins:$built/device:$json

# --- the manifest -----------------------------------------------------------------------------------------------------

# Debian's resources are those of API 29: what came later is taken out of the copy that they judge. A name that is new here is
# looked up first, and gets its level.
later='android:dataExtractionRules=31'
resources=/usr/share/android-framework-res/framework-res.apk

# manifest FILE: compiles a manifest with the example's resources, and looks for what keeps a vault out of backups.
manifest() {
    rm -rf "$built/manifest"
    mkdir -p "$built/manifest"
    # Gradle names the package.
    text=$(sed 's/<manifest /&package="org.thumbturn.checked" /' "$1")
    for attribute in $later; do text=$(echo "$text" | sed "s/ *${attribute%=*}=\"[^\"]*\"//"); done
    echo "$text" >"$built/manifest/AndroidManifest.xml"
    aapt package -f -M "$built/manifest/AndroidManifest.xml" -S "$here/example/src/main/res" -I "$resources" \
        --min-sdk-version 30 --target-sdk-version 35 -F "$built/manifest/app.apk" >"$log" 2>&1 || return 1
    for wanted in 'android:allowBackup="false"' 'android:dataExtractionRules="@xml/data_extraction_rules"'; do
        grep -q "$wanted" "$1" || { echo "error: the manifest lacks $wanted" >"$log"; return 1; }
    done
}

# A way out of the phone each: both have to leave out everything that an app can have.
extraction() {
    for way in cloud-backup device-transfer; do
        section=$(sed -n "/<$way/,/<\\/$way>/p" "$1")
        for domain in root file database sharedpref external device_root device_file device_database device_sharedpref; do
            echo "$section" | grep -q "<exclude domain=\"$domain\"" && continue
            echo "error: $way does not leave out $domain" >"$log"
            return 1
        done
    done
}

# --- all of it --------------------------------------------------------------------------------------------------------

mkdir -p "$built"
if [ "${1:-}" = --manifest ]; then # this one alone, for sabotage.sh
    log=$sdk/log
    manifest "$2" || { cat "$log"; exit 1; }
    exit 0
fi
(check x86_64; exit "$failed") >"$built/x86_64.out" 2>&1 &
check aarch64
wait $! || failed=1
cat "$built/x86_64.out"
log=$sdk/log

for file in "$here"/jni/*.c "$root"/Sources/System/CBridge/*.c; do
    for machine in $machines; do
        name=$(basename "$file")
        if glue "$machine" "$file"; then say "$name" "$machine" "compiles"; else fail "$name" "$machine" "does not compile"; fi
    done
done

# shellcheck disable=SC2046  # no source file of ours has a blank in its name
if ! java8 "$built/standins" "" $(find "$here/standins/android" "$here/standins/org/thumbturn/standin" -name '*.java'); then
    fail standins java "do not compile"
elif ! java8 "$built/device" "$built/standins:$json" $(find "$here/device" -name '*.java'); then
    fail device java "does not compile"
elif ! java8 "$built/example" "$built/standins:$built/device:$json" $(find "$here/example/src" -name '*.java'); then
    fail example java "does not compile"
elif ! kotlin "$built/expo" "$built/standins" "$here"/expo/*.kt; then
    fail expo kotlin "does not compile"
elif ! kotlin "$built/react-native" "$ours" $(find "$root/ReactNative/android" -name '*.kt'); then
    fail ReactNative/android kotlin "does not compile"
elif python3 "$here/check-api.py" "$here/api.txt" "$built/standins" "$built/device" "$built/example" "$built/react-native" >"$log" 2>&1; then
    say 'java, kotlin' api.txt "$(cat "$log")"
else
    fail 'java, kotlin' api.txt "names what it may not"
fi

main=$here/example/src/main
if manifest "$main/AndroidManifest.xml"; then say AndroidManifest.xml example "compiles"; else fail AndroidManifest.xml example "is refused"; fi
rules=$main/res/xml/data_extraction_rules.xml
if extraction "$rules"; then say data_extraction_rules.xml example "leaves out everything"; else fail data_extraction_rules.xml example "is too open"; fi

# --- the planted mistakes ---------------------------------------------------------------------------------------------

# A planted file's first line has `expect: ` and an extended regular expression for its one error.

# plant FILE MACHINE: refused with the one error that it names?
plant() {
    name=planted/$(basename "$1")
    expected=$(sed -n '1s,.*expect: ,,p' "$1" | sed 's, *-->$,,')
    case $1 in
        *.swift) tried=$(compile "$2" Planted "$1" && echo compiles || true) ;;
        *.c) tried=$(glue "$2" "$1" && echo compiles || true) ;;
        *Manifest*.xml) tried=$(manifest "$1" && echo compiles || true) ;;
        *.xml) tried=$(extraction "$1" && echo compiles || true) ;;
        *.kt) tried=$(kotlin "$built/planted" "$ours" "$1" && echo compiles || true) ;;
        *.java)
            tried=$(java8 "$built/planted" "$built/standins" "$1" \
                && python3 "$here/check-api.py" --part "$here/api.txt" "$built/standins" "$built/planted" >"$log" 2>&1 \
                && echo compiles || true)
            ;;
    esac
    # check-api.py says one thing a line, the others say where and `error: `.
    errors=$(grep -E 'error: |^[A-Z][A-Za-z.]*: ' "$log" || true)
    if [ -n "$tried" ]; then
        fail "$name" "$2" compiles
    elif [ "$(echo "$errors" | wc -l)" -eq 1 ] && echo "$errors" | grep -qE "$expected"; then
        say "$name" "$2" "refused: $(echo "$errors" | sed -E 's/.*error: //')"
    else
        fail "$name" "$2" "expected one error: $expected"
    fi
}

for file in "$here"/planted/*; do
    case $file in
        *.swift | *.c) for machine in $machines; do plant "$file" "$machine"; done ;;
        *) plant "$file" - ;;
    esac
done

exit $failed
