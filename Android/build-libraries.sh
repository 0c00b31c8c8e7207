#!/bin/sh
# Builds OpenSSL's libcrypto, libsodium, libargon2 and SQLite with the NDK, as static libraries for both kinds of 64-bit phones.
# Not run where Thumbturn is developed: there is no NDK there.
#
# usage: ANDROID_NDK_HOME=NDK build-libraries.sh SOURCES
#
#   NDK       r27d or later
#   SOURCES   a folder with the unpacked sources openssl-*, libsodium-*, phc-winner-argon2-* and sqlite-autoconf-*, whose
#             signatures or checksums you verified: nothing is fetched here
#
# Result: .build/android-libraries/MACHINE/{include,lib,lib/pkgconfig} for MACHINE aarch64 and x86_64.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
sources=$(cd "$1" && pwd)
ndk=${ANDROID_NDK_HOME:?the folder of the NDK}
host=$(uname -s | tr '[:upper:]' '[:lower:]')-x86_64
tools=$ndk/toolchains/llvm/prebuilt/$host/bin
api=30
jobs=$(getconf _NPROCESSORS_ONLN)

one() {
    set -- "$sources"/$1
    [ $# -eq 1 ] && [ -d "$1" ] || { echo "build-libraries: expected one folder: $1" >&2; exit 1; }
    echo "$1"
}
openssl=$(one 'openssl-*') sodium=$(one 'libsodium-*') argon2=$(one 'phc-winner-argon2-*') sqlite=$(one 'sqlite-autoconf-*')

# description PREFIX NAME LIBRARY: what pkg-config tells SwiftPM.
description() {
    printf 'Name: %s\nDescription: %s\nVersion: 1\nCflags: -I%s\nLibs: -L%s -l%s\n' "$2" "$2" "$1/include" "$1/lib" "$3" \
        >"$1/lib/pkgconfig/$2.pc"
}

for machine in aarch64 x86_64; do
    prefix=$root/.build/android-libraries/$machine
    work=$prefix/work
    rm -rf "$prefix"
    mkdir -p "$work" "$prefix/include" "$prefix/lib/pkgconfig"
    cc="$tools/$machine-linux-android$api-clang"
    flags='-O2 -fPIC -fstack-protector-strong -D_FORTIFY_SOURCE=2'

    # Sources stay as they are: each is built in a copy.
    for source in "$openssl" "$sodium" "$argon2" "$sqlite"; do cp -R "$source" "$work"; done

    case $machine in aarch64) configuration=android-arm64 ;; *) configuration=android-x86_64 ;; esac
    (
        cd "$work/$(basename "$openssl")"
        PATH=$tools:$PATH ANDROID_NDK_ROOT=$ndk ./Configure "$configuration" "-D__ANDROID_API__=$api" \
            no-shared no-tests no-engine no-autoload-config "--prefix=$prefix" --libdir=lib
        PATH=$tools:$PATH ANDROID_NDK_ROOT=$ndk make -j "$jobs" build_libs
        make install_dev
    )
    (
        cd "$work/$(basename "$sodium")"
        CC=$cc AR=$tools/llvm-ar RANLIB=$tools/llvm-ranlib CFLAGS=$flags ./configure "--host=$machine-linux-android" \
            --disable-shared --enable-static --with-pic "--prefix=$prefix"
        make -j "$jobs"
        make install
    )
    (
        cd "$work/$(basename "$argon2")"
        # shellcheck disable=SC2086  # the flags are words on purpose
        for file in argon2 core encoding ref thread blake2/blake2b; do
            "$cc" $flags -Iinclude -Isrc -c "src/$file.c" -o "$(basename $file).o"
        done
        "$tools/llvm-ar" rcs "$prefix/lib/libargon2.a" ./*.o
        cp include/argon2.h "$prefix/include"
    )
    (
        cd "$work/$(basename "$sqlite")"
        # shellcheck disable=SC2086
        "$cc" $flags -DSQLITE_THREADSAFE=1 -DSQLITE_OMIT_LOAD_EXTENSION -DSQLITE_SECURE_DELETE -c sqlite3.c
        "$tools/llvm-ar" rcs "$prefix/lib/libsqlite3.a" sqlite3.o
        cp sqlite3.h "$prefix/include"
    )
    description "$prefix" libcrypto crypto
    description "$prefix" libsodium sodium
    description "$prefix" libargon2 argon2
    description "$prefix" sqlite3 sqlite3
    rm -rf "$work"
done
