#!/bin/sh
# Generates a folder against which Swift can be type-checked for iOS and macOS on Linux. It is no SDK: nothing links.
#
# usage: build-sdk.sh OUT
#
#   OUT/modules    the toolchain's own standard library as text, with the target changed. The Linux text still carries
#                  every Apple @available line, which is what makes the check worth having. Beside it, the overlays of
#                  this folder: signatures of the Apple modules that the rooms call, written by hand.
#   OUT/include    hand-written headers for Darwin, Foundation, Security and LocalAuthentication, and the real ones of
#                  libsodium and SQLite, copied from this system; what one system alone has is in include-ios and -macos
#   OUT/resources  the compiler's resource folder without Linux's own module maps, and `bin`, the toolchain's tools
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=$1
toolchain=$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')
standard='Swift SwiftOnoneSupport _Concurrency _StringProcessing Synchronization Observation Testing'

mkdir -p "$out/modules" "$out/include" "$out/resources"

# Where modules are built from text, availability inside them is not our concern: the importing room's is.
flags='-enable-objc-interop -swift-version 5 -enable-library-evolution -disable-availability-checking'

for platform in ios13.0 macos10.15; do
    name="arm64-apple-$(echo $platform | tr -d '0-9.').swiftinterface"

    for module in $standard; do
        mkdir -p "$out/modules/$module.swiftmodule"
        # - Bodies for back deployment are not in the Linux text, so the attribute that needs them goes.
        # - Three bodies call C helpers that this target does not have. They are never run.
        # - Nor is any other: to compile and optimise them all would be a third of the whole check.
        sed -e "s/-target x86_64-unknown-linux-gnu/-target arm64-apple-$platform -disable-availability-checking/" \
            -e 's/-disable-objc-interop/-enable-objc-interop/' \
            -e '/^\/\/ swift-module-flags:/s/ -O / -Onone -experimental-skip-all-function-bodies /' \
            -e 's/@backDeployed(before:[^)]*)//' \
            -e '/^import Glibc$/d' \
            -e 's/_swift_stdlib_gettid()/UInt32(0)/' \
            -e 's/self = _stdlib_remainderl(self, other)/fatalError()/' \
            -e 's/self = _stdlib_squareRootl(self)/fatalError()/' \
            "$toolchain/linux/$module.swiftmodule/x86_64-unknown-linux-gnu.swiftinterface" \
            >"$out/modules/$module.swiftmodule/$name"
    done
    # Exists only where Objective-C does, and the compiler insists on it there.
    cat "$here/overlay/Swift.extra" >>"$out/modules/Swift.swiftmodule/$name"

    for overlay in "$here"/overlay/*.swiftinterface; do
        module=$(basename "$overlay" .swiftinterface)
        mkdir -p "$out/modules/$module.swiftmodule"
        {
            echo '// swift-interface-format-version: 1.0'
            echo "// swift-module-flags: -target arm64-apple-$platform $flags -module-name $module"
            cat "$overlay"
        } >"$out/modules/$module.swiftmodule/$name"
    done
done

cp -R "$here/include/." "$out/include"
cp -R "$here/include-ios" "$here/include-macos" "$out"
cp -R "$(pkg-config --variable=includedir libsodium)"/sodium* "$out/include"
cp "$(pkg-config --variable=includedir sqlite3)/sqlite3.h" "$out/include"

for part in shims clang apinotes; do ln -s "$toolchain/$part" "$out/resources/$part"; done
ln -s "$toolchain/../../bin" "$out/resources/bin"
