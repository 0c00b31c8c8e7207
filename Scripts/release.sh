#!/bin/sh
# Builds programs as they are released, into .build/release: optimised, and on Linux with Swift's libraries inside, so that they
# start at once and run where there is no toolchain.
#
# usage: release.sh PRODUCT...                 products of Package.swift
#        release.sh --unoptimised PRODUCT...   the same without optimisation into .build/unoptimised, in a third of the time
#
# Whoever wants an optimised build asks for it here: with other flags SwiftPM builds all of it anew.
set -eu
cd "$(dirname "$0")/.."

folder=.build optimised=
[ "$1" != --unoptimised ] || { folder=.build/unoptimised optimised=no && shift; }
set -- "$@" --
[ -z "$optimised" ] || set -- "$@" -Xswiftc -Onone
if [ "$(uname -s)" = Linux ]; then
    # What the loader finds is what the system has, and nothing beside the program.
    set -- "$@" --static-swift-stdlib --disable-local-rpath
    # lld packs the addresses that are mended at each start, which the default linker can't. All functions are bound before any of
    # our code runs: binding one later would save registers, and what is in them, on the stack.
    set -- "$@" -Xswiftc -use-ld=lld
    for word in -z pack-relative-relocs -z now --no-export-dynamic; do set -- "$@" -Xlinker "$word"; done
    # The C++ library of Swift's runtime comes along too: it is looked for where there is no shared one.
    static=$PWD/.build/static
    mkdir -p "$static"
    ln -sf "$(clang -print-file-name=libstdc++.a)" "$static/libstdc++.a"
    set -- "$@" -Xlinker "-L$static" -Xswiftc -Xclang-linker -Xswiftc -static-libgcc
    # Of Foundation the programs need nothing, and it would bring the library of regular expressions.
    set -- "$@" -Xswiftc -DWITHOUT_FOUNDATION
fi

# Products first, then the flags: turned round, with commas between the products.
products=
while [ "$1" != -- ]; do
    products="$products${products:+,}$1"
    shift
done
shift
# One build at a time, as the Makefile says; it has all products, so that both cores are at work.
alone=$(! command -v flock >/dev/null || echo flock -o Package.swift)
THUMBTURN_PROGRAMS=$products $alone swift build -c release --scratch-path "$folder" --quiet "$@"
