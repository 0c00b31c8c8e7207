#!/bin/sh
# Generates a folder against which Swift and C can be compiled for Android on Linux. It is no SDK: nothing links.
#
# usage: build-sdk.sh OUT
#
#   OUT/modules      the toolchain's own standard library as text, with the target changed, and beside it overlay/: what the
#                    module `Android` of Swift's SDK adds to the C library
#   OUT/usr/include  include/bionic.h, which is the C library as far as the rooms call it, under the names of its headers;
#                    AOSP's own jni.h; the headers of OpenSSL, libsodium, libargon2 and SQLite, copied from this system
#   OUT/resources    the compiler's resource folder without Linux's own module maps, and `bin`, the toolchain's tools
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=$1
toolchain=$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')
standard='Swift SwiftOnoneSupport _Concurrency _StringProcessing Observation'
include=$out/usr/include

mkdir -p "$out/modules" "$include" "$out/resources"

for machine in aarch64 x86_64; do
    target=$machine-unknown-linux-android30
    name=$machine-unknown-linux-android.swiftinterface

    for module in $standard; do
        mkdir -p "$out/modules/$module.swiftmodule"
        # - Three bodies call C helpers that this target does not have. They are never run.
        # - Nor is any other: to compile and optimise them all would be half of the whole check.
        sed -e "s/-target x86_64-unknown-linux-gnu/-target $target/" \
            -e '/^\/\/ swift-module-flags:/s/ -O / -Onone -experimental-skip-all-function-bodies /' \
            -e '/^import Glibc$/d' \
            -e 's/_swift_stdlib_gettid()/UInt32(0)/' \
            -e 's/self = _stdlib_remainderl(self, other)/fatalError()/' \
            -e 's/self = _stdlib_squareRootl(self)/fatalError()/' \
            "$toolchain/linux/$module.swiftmodule/x86_64-unknown-linux-gnu.swiftinterface" \
            >"$out/modules/$module.swiftmodule/$name"
    done

    for overlay in "$here"/overlay/*.swiftinterface; do
        module=$(basename "$overlay" .swiftinterface)
        mkdir -p "$out/modules/$module.swiftmodule"
        {
            echo '// swift-interface-format-version: 1.0'
            echo "// swift-module-flags: -target $target -swift-version 5 -enable-library-evolution -module-name $module"
            cat "$overlay"
        } >"$out/modules/$module.swiftmodule/$name"
    done

    # Where the compiler looks for the C library's map; it insists on these two headers beside it.
    mkdir -p "$out/resources/android/$machine"
    echo 'module SwiftAndroid [system] { header "bionic.h" export * }' >"$out/resources/android/$machine/android.modulemap"
    touch "$out/resources/android/$machine/SwiftAndroidNDK.h" "$out/resources/android/$machine/SwiftBionic.h"
done

cp "$here"/include/* "$include"
mkdir -p "$include/sys"
for header in assert ctype dirent errno fcntl inttypes limits locale pthread sched signal stdio stdlib string strings time \
    unistd wchar sys/file sys/mman sys/prctl sys/stat sys/statvfs sys/time sys/types; do
    echo '#include <bionic.h>' >"$include/$header.h"
done
cp /usr/include/android/nativehelper/jni.h "$include"
folder() { pkg-config --variable=includedir "$1"; }
cp -R "$(folder libcrypto)/openssl" "$include"
# What Debian configures for each of its machines lies apart.
cp "$(folder libcrypto)/$(basename "$(pkg-config --variable=libdir libcrypto)")"/openssl/* "$include/openssl"
cp -R "$(folder libsodium)"/sodium* "$(folder libargon2)/argon2.h" "$(folder sqlite3)/sqlite3.h" "$include"

for part in shims clang apinotes; do ln -s "$toolchain/$part" "$out/resources/$part"; done
ln -s "$toolchain/../../bin" "$out/resources/bin"
