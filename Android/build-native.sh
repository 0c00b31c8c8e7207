#!/bin/sh
# Builds what an app loads: libThumbturnBridge.so, which is the vault with Swift's runtime and the libraries in it, and
# libthumbturn.so, the glue to Java. Not run where Thumbturn is developed: neither NDK nor Swift's SDK for Android are there.
#
# usage: ANDROID_NDK_HOME=NDK build-native.sh [ABI...]    ABI: arm64-v8a, x86_64; without one, both
#
# Needs Linux, Swift 6.3.1 with its SDK for Android of exactly that version (swift sdk list), the NDK r27d or later, and what
# build-libraries.sh made. Result: .build/android-native/ABI/*.so, where Android/device/build.gradle looks.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
ndk=${ANDROID_NDK_HOME:?the folder of the NDK}
tools=$ndk/toolchains/llvm/prebuilt/linux-x86_64/bin
[ $# -gt 0 ] || set -- arm64-v8a x86_64

for abi in "$@"; do
    case $abi in
        arm64-v8a) machine=aarch64 ;;
        x86_64) machine=x86_64 ;;
        *) echo "build-native: unknown ABI: $abi" >&2; exit 1 ;;
    esac
    libraries=$root/.build/android-libraries/$machine
    scratch=$root/.build/android-$machine
    out=$root/.build/android-native/$abi
    mkdir -p "$out"

    # Pages of 16 KiB. What is not ours stays inside: two libcryptos of one process must not meet.
    PKG_CONFIG_LIBDIR=$libraries/lib/pkgconfig THUMBTURN_PROGRAMS=ThumbturnBridge \
        swift build --package-path "$root" --scratch-path "$scratch" --swift-sdk "$machine-unknown-linux-android30" \
        -c release --product ThumbturnBridge -Xswiftc -static-stdlib \
        -Xlinker "-L$libraries/lib" -Xlinker -z -Xlinker max-page-size=16384 -Xlinker --exclude-libs -Xlinker ALL
    cp "$scratch/release/libThumbturnBridge.so" "$out"

    "$tools/$machine-linux-android30-clang" -std=c11 -O2 -fPIC -shared -Wall -Wextra -Werror -fvisibility=hidden \
        -I "$root/Sources/System/CBridge/include" "$here"/jni/*.c -L "$out" -lThumbturnBridge \
        -Wl,-z,max-page-size=16384 -Wl,-soname,libthumbturn.so -o "$out/libthumbturn.so"

    for library in "$out"/*.so; do
        "$tools/llvm-strip" --strip-unneeded "$library"
        if "$tools/llvm-readelf" -lW "$library" | grep LOAD | grep -qv '0x4000$'; then
            echo "build-native: $library is not laid out for pages of 16 KiB" >&2
            exit 1
        fi
        # Nothing that a phone has not.
        for needed in $("$tools/llvm-readelf" -d "$library" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p'); do
            case $needed in
                libc.so | libm.so | libdl.so | liblog.so | libThumbturnBridge.so) ;;
                libc++_shared.so) cp "$ndk/toolchains/llvm/prebuilt/linux-x86_64/sysroot/usr/lib/$machine-linux-android/$needed" "$out" ;;
                *) echo "build-native: $library needs $needed" >&2; exit 1 ;;
            esac
        done
    done
    ls -l "$out"
done
