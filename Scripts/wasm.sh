#!/bin/sh
# Builds ThumbturnRules as Embedded Swift for WebAssembly and links it with nothing but wasm/libc.c. This is the gate
# that keeps the rules free of Foundation, Codable, untyped throws and a C library; any diagnostic fails it.
#
# Result: .build/wasm/ThumbturnRules.wasm, with every rule in it. A page that exports fewer gets a smaller file.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
out=$root/.build/wasm
target=wasm32-unknown-none-wasm
toolchain=$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')
tools=$toolchain/../../bin # not PATH: an older clang and linker may stand first there
mkdir -p "$out"

# No stack protector: its guard variable belongs to a C library that is not there.
find "$root/Sources/Library/ThumbturnRules" -name '*.swift' | sort >"$out/sources"
strict=$("$root/Scripts/strict-settings.sh")
# shellcheck disable=SC2086  # the settings are words on purpose
swiftc -target $target $strict -enable-experimental-feature Embedded -Xfrontend -disable-stack-protector \
    -whole-module-optimization -Osize -parse-as-library -module-name ThumbturnRules \
    -c @"$out/sources" "$root/Scripts/wasm/Exports.swift" -o "$out/ThumbturnRules.o" \
    >"$out/log" 2>&1 || { cat "$out/log" >&2; exit 1; }
if [ -s "$out/log" ]; then
    echo "wasm: the compiler said something, which counts as failure:" >&2
    cat "$out/log" >&2
    exit 1
fi

"$tools/clang" --target=$target -O2 -Wall -Wextra -Werror -ffreestanding -fno-builtin \
    -c "$root/Scripts/wasm/libc.c" -o "$out/libc.o"

# --no-gc-sections, so that a symbol missing from any rule is found, not only from the exported ones.
"$tools/wasm-ld" --no-entry --no-gc-sections --strip-all --fatal-warnings --export=thumbturn_rules_version \
    "$out/ThumbturnRules.o" "$out/libc.o" \
    "$toolchain/embedded/$target/libswiftUnicodeDataTables.a" -o "$out/ThumbturnRules.wasm"

printf 'wasm: ThumbturnRules.wasm from %s files: %s bytes, %s gzipped\n' "$(wc -l <"$out/sources")" \
    "$(wc -c <"$out/ThumbturnRules.wasm")" "$(gzip -9 -c "$out/ThumbturnRules.wasm" | wc -c)"
