#!/bin/sh
# Type-checks and compiles the library rooms and the example app for the oldest iOS and macOS that Thumbturn supports, the
# command for that macOS, and the tests for the macOS that they need (15, see Package.swift), without an Apple SDK.
#
# It catches what Linux lets pass: a name newer than the floor, a wrong call of CryptoKit or Darwin, a back end that only
# compiles here. It shows nothing about behaviour, and believes the hand-written declarations in this folder: a release
# still needs a Mac. It rests on details of the toolchain (written for Swift 6.3), so it is a check, never a product.
#
# Then the check is checked: every mistake in planted/ must fail at each target with the message that the file names.
set -eu
if [ "$(uname -s)" != Linux ]; then
    echo "check-apple: on a Mac the real SDKs do better: swift build, and xcodebuild -scheme Thumbturn for iOS"
    exit 0
fi

here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
sdk=$root/.build/apple-sdk
built=$root/.build/apple-rooms # not in the SDK: package access is refused to what comes from one
# What is compiled for a target, in the order in which it imports. The example app and React Native's module are outside and
# see what is public; the module sees Expo's as Apple/StandIns has it. What is compiled for macOS 15 imports what was for
# macOS 12.
rooms() {
    library='ThumbturnRules ThumbturnJSON ThumbturnFiles ThumbturnCrypto ThumbturnDevice ThumbturnSimulator ThumbturnSQLite ThumbturnAudit ThumbturnBase
        Thumbturn ThumbturnContracts ThumbturnCredentials ThumbturnAccount ThumbturnTransport ThumbturnApple ThumbturnUI ThumbturnScreenJSON ThumbturnHost ThumbturnPreviews ThumbturnAccountUI ThumbturnAccountPreviews WalletApp
        WalletAppTests'
    reactNative='ExpoModulesCore ThumbturnReactNative' # of an iPhone alone
    case $1 in
        *-ios15.0) echo $library $reactNative ;;
        *-macosx12.0) echo $library ThumbturnConsole ThumbturnCommand WriteStrings ;;
        *)
            echo ThumbturnTestKit CrashExplorer CrashChild Crash LedgerModel UnlockModel Model
            cd "$root/Tests" && ls -d */Thumbturn*Tests | sed 's,.*/,,' | sort | grep -vE 'Thumbturn(Account|Android|Bridge|Transport|Linux|HTTP|Service|Daemon|Playground)Tests'
            ;;
    esac
}

strict=$("$root/Scripts/strict-settings.sh")

# --- the generated folder: made again when the toolchain or this folder changes ---------------------------------------

stamp=$(cd "$here" && { swiftc --version 2>&1; find . -type f ! -path "./planted/*" ! -path "./StandIns/*" | sort | xargs cat; } | sha256sum)
if [ "$(cat "$sdk/stamp" 2>/dev/null)" != "$stamp" ]; then
    rm -rf "$sdk"
    "$here/build-sdk.sh" "$sdk"
    echo "$stamp" >"$sdk/stamp"
fi
log=$sdk/log # of the compiler call last made

# compile TARGET MODULE FILE...: compiles the files as one module that the next rooms can import. Code generation is on,
# because data races and misuse of noncopyable values are found only after type-checking. Nobody imports tests: these are
# type-checked, with the macros of Swift Testing, and what code generation finds Linux finds.
compile() {
    target=$1 module=$2
    shift 2
    mkdir -p "$built/$target"
    case $target in *ios*) platform=ios ;; *) platform=macos ;; esac
    case $target in *macosx15*) below="-I $built/arm64-apple-macosx12.0" ;; *) below= ;; esac
    case $module in WalletApp* | *ReactNative | Expo*) package=outside ;; *) package=thumbturn ;; esac
    case $module in
        *Tests) mode='-typecheck -enable-batch-mode -j 2' ;;
        *) mode="-whole-module-optimization -enable-testing -emit-module -emit-module-path $built/$target/$module.swiftmodule -c -o $built/$target/$module.o" ;;
    esac
    case $* in *main.swift*) ;; *) mode="$mode -parse-as-library" ;; esac
    # shellcheck disable=SC2086  # the settings are words on purpose
    swiftc -target "$target" -sdk "$sdk" -resource-dir "$sdk/resources" -module-cache-path "$sdk/cache" \
        -I "$sdk/modules" -I "$sdk/include" -I "$sdk/include-$platform" -I "$root/Sources/System/CSystem" -I "$root/Sources/System/CVersion/include" -I "$built/$target" $below \
        $strict -package-name "$package" -diagnostic-style llvm $mode -module-name "$module" "$@" >"$log" 2>&1
}

failed=0
say() { printf 'check-apple: %-24s %-24s %s\n' "$1" "$2" "$3"; }
fail() {
    failed=1
    say "$1" "$2" "FAILED: $3"
    grep -v SDKSettings.json "$log" | sed 's/^/    /' || true
}

# --- the rooms --------------------------------------------------------------------------------------------------------

# Says what an object file does not call, or calls and must not. Compiling alone would not show what `#if` left out.
miscalls() {
    symbols=$("$sdk/resources/bin/llvm-nm" --undefined-only "$1" 2>"$log")
    for wanted in $2; do
        case $symbols in *"$wanted"*) ;; *) printf '%s is never called; ' "$wanted" ;; esac
    done
    case $symbols in *_EVP_* | *_BN_*) printf 'OpenSSL is called; ' ;; esac
}

# What a room calls of the system it is compiled for.
calls() {
    case $1-$2 in
        ThumbturnCrypto-*) echo 9CryptoKit 4P256O7Signing _CCCrypt _crypto_pwhash ;;
        ThumbturnApple-*) echo _SecItemAdd _SecItemCopyMatching LAContext LAEnvironment 13SecureEnclave clock_gettime_nsec_np ;;
        ThumbturnTransport-*) echo NSURLSession NSURLSessionConfiguration _SecTrustEvaluateWithError _SecTrustCopyCertificateChain ;;
        ThumbturnUI-*) echo 7SwiftUI 7Combine 11Observation ;;
        ThumbturnPreviews-* | ThumbturnAccountPreviews-*) echo 7SwiftUI ;;
        ThumbturnAccountUI-*) echo 7SwiftUI 11ThumbturnUI ;;
        WalletApp-*) echo 7SwiftUI 14ThumbturnApple 11ThumbturnUI ;;
        ThumbturnReactNative-*) echo 15ExpoModulesCore 14ThumbturnApple 13ThumbturnHost 11ThumbturnUI ;;
    esac
    case $1-$2 in
        ThumbturnApple-*ios*) echo UIApplicationProtectedDataWillBecomeUnavailable ;;
        ThumbturnApple-*macosx*) echo NSApplicationProtectedDataWillBecomeUnavailable NSWorkspaceWillSleep ;;
    esac
}

# What was found good stays good as long as nothing that it was made of changes. The key of a room covers those before it.
held() { [ "$(cat "$built/$1.held" 2>/dev/null)" = "$2" ]; }
hold() { echo "$2" >"$built/$1.held"; }
base=$(echo "$stamp $strict" | cat - "$0" "$here/BackEnds.swift" | sha256sum)

# check TARGET: compiles the rooms of a target, as far as they or what they import have changed.
check() {
    target=$1 log=$sdk/log-$1
    mkdir -p "$built/$target/planted"
    case $target in *macosx15*) key=$(cat "$built/arm64-apple-macosx12.0/rooms") ;; *) key=$base ;; esac
    for room in $(rooms "$target"); do
        folders=$(echo "$root"/Sources/*/"$room")
        [ -d "$folders" ] || folders=$(echo "$root"/Tests/*/"$room")
        [ "$room" != WalletAppTests ] || folders=$root/Examples/WalletApp/WalletAppTests
        [ "$room" != ThumbturnReactNative ] || folders=$root/ReactNative/ios
        [ "$room" != ExpoModulesCore ] || folders=$here/StandIns/Sources/ExpoModulesCore
        [ "$room" != WalletApp ] || folders="$root/Examples/OneSource $root/Examples/WalletApp/WalletApp"
        # shellcheck disable=SC2086  # nor has a folder
        files=$(find $folders -name '*.swift' | sort)
        count=$(echo "$files" | wc -l)
        [ "$room" != ThumbturnCrypto ] || files="$files $here/BackEnds.swift"
        [ "$room" != ThumbturnUI ] || files="$files $here/Resources.swift"
        # shellcheck disable=SC2086  # no source file of ours has a blank in its name
        made=$(echo "$key" | cat - $files | sha256sum)
        case $room in *Tests) ;; *) key=$made ;; esac
        if held "$target/$room" "$made"; then
            say "$room" "$target" "$count files unchanged"
            continue
        fi
        rm -f "$built/$target/$room".*
        # shellcheck disable=SC2086
        if ! compile "$target" "$room" $files; then
            fail "$room" "$target" "does not compile"
            continue # the rooms that do not import it still have something to say
        fi
        say "$room" "$target" "$count files compile"
        wrong=
        case $room in *Tests) ;; *) wrong=$(miscalls "$built/$target/$room.o" "$(calls "$room" "$target" | tr '\n' ' ')") ;; esac
        if [ -n "$wrong" ]; then fail "$room" "$target" "${wrong%; }"; else hold "$target/$room" "$made"; fi
    done
    echo "$key" >"$built/$target/rooms"
}

# Nothing for iOS imports what is for macOS, so the two go beside each other.
ios=arm64-apple-ios15.0
mkdir -p "$built"
(check "$ios"; exit "$failed") >"$built/$ios.out" 2>&1 &
check arm64-apple-macosx12.0
check arm64-apple-macosx15.0
wait $! || failed=1
cat "$built/$ios.out"

# What the store asks a reason for is read off the objects; then each reason is left out once.
NM=$sdk/resources/bin/llvm-nm "$root/Scripts/privacy.sh" --self-test "$built/$ios" || failed=1

# --- the planted mistakes ---------------------------------------------------------------------------------------------

# A planted file starts with `// expect: ` and an extended regular expression for its one error. Where a second line names
# a target after `// for: `, it is planted there alone; else in the library, at both of its floors.

# plant TARGET...: expects each mistake that is planted at one of the targets to be refused.
plant() {
    log=$sdk/log-planted-$1
    for file in "$here"/planted/*.swift; do
        name=$(basename "$file" .swift)
        expected=$(sed -n '1s,^// expect: ,,p' "$file")
        wanted=$(sed -n '2s,^// for: ,,p' "$file")
        for target in ${wanted:-arm64-apple-ios15.0 arm64-apple-macosx12.0}; do
            case " $* " in *" $target "*) ;; *) continue ;; esac
            uses=
            grep -qE 'import (Thumbturn|Expo)' "$file" && uses=$(cat "$built/$target/rooms")
            key=$(echo "$base $uses" | cat - "$file" | sha256sum)
            if held "$target/planted/$name" "$key"; then
                say "planted/$name" "$target" "refused, as before"
                continue
            fi
            compile "$target" Planted "$file" && fail "planted/$name" "$target" "compiles" && continue
            errors=$(grep ' error: ' "$log" || true)
            if [ "$(echo "$errors" | wc -l)" -eq 1 ] && echo "$errors" | grep -qE "error: .*$expected"; then
                say "planted/$name" "$target" "refused: $(echo "$errors" | sed 's/.*error: //')"
                hold "$target/planted/$name" "$key"
            else
                fail "planted/$name" "$target" "expected one error: $expected"
            fi
        done
    done
}

(plant "$ios"; exit "$failed") >"$built/$ios.out" 2>&1 &
plant arm64-apple-macosx12.0 arm64-apple-macosx15.0
wait $! || failed=1
cat "$built/$ios.out"

exit $failed
