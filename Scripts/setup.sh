#!/bin/sh
# Makes a bare Debian with a Swift toolchain ready to build: installs the system libraries that are missing.
# Silent and quick when nothing is missing, because most `make` targets call it first.
#
# usage: setup.sh [--shells|--linux|--service|--peers|--package|--browser|--react-native|--android]   --shells also installs the shells whose completions are
#                                                         tested where they are at hand, --linux what the tests of the
#                                                         Linux adapter run against, --service what those of the
#                                                         service do, --peers the tools that bench-peers.py compares
#                                                         with, all that can be had, --package what makes Debian
#                                                         packages and a clean Debian, --browser what shows the
#                                                         playground, --react-native what compiles and tests
#                                                         the React Native package, --android what compiles
#                                                         and tests for Android
#
# exit codes: 0 ready, 3 something is missing that only the reader can install
set -eu

if ! command -v swift >/dev/null; then
    echo "setup: no 'swift' on PATH. Thumbturn needs Swift 6.2.3 or newer: https://www.swift.org/install" >&2
    exit 3
fi

# On macOS CryptoKit and sqlite3 come with the system, and SwiftPM fetches libsodium.
[ "$(uname -s)" = Linux ] || exit 0

missing=
if ! command -v pkg-config >/dev/null; then
    # Without it nothing can be asked; apt-get leaves alone what is already there.
    missing='pkg-config libssl-dev libsodium-dev libargon2-dev libsqlite3-dev libtss2-dev libsystemd-dev libpq-dev
        libcurl4-openssl-dev libp11-kit-dev'
elif ! pkg-config --exists libcrypto libssl libsodium libargon2 sqlite3 tss2-esys tss2-mu tss2-tctildr libsystemd \
    libpq libcurl p11-kit-1; then
    pkg-config --exists libcrypto libssl || missing="$missing libssl-dev"
    pkg-config --exists libsodium || missing="$missing libsodium-dev"
    pkg-config --exists libargon2 || missing="$missing libargon2-dev"
    pkg-config --exists sqlite3 || missing="$missing libsqlite3-dev"
    pkg-config --exists tss2-esys tss2-mu tss2-tctildr || missing="$missing libtss2-dev"
    pkg-config --exists libsystemd || missing="$missing libsystemd-dev"
    pkg-config --exists libpq || missing="$missing libpq-dev"
    pkg-config --exists libcurl || missing="$missing libcurl4-openssl-dev"
    # The headers of PKCS#11 alone: a signer's module is loaded by its path.
    pkg-config --exists p11-kit-1 || missing="$missing libp11-kit-dev"
fi
# The tests hold what the command seals against what we read.
command -v openssl >/dev/null || missing="$missing openssl"
# And count how often a command waits for the disk.
command -v strace >/dev/null || missing="$missing strace"
# And ask the service with clients that nobody here wrote.
command -v curl >/dev/null || missing="$missing curl"
command -v python3 >/dev/null || missing="$missing python3"
# And open a backup with a program that shares no code with ours. One that shadows Debian's Python on PATH may lack the package.
/usr/bin/python3 -c 'import cryptography' 2>/dev/null || missing="$missing python3-cryptography"
if [ "${1-}" = --shells ]; then
    command -v zsh >/dev/null || missing="$missing zsh"
    command -v fish >/dev/null || missing="$missing fish"
fi
if [ "${1-}" = --linux ]; then
    command -v dbus-daemon >/dev/null || missing="$missing dbus"
    command -v gdbus >/dev/null || missing="$missing libglib2.0-bin"
    command -v swtpm >/dev/null || missing="$missing swtpm"
    command -v tpm2_shutdown >/dev/null || missing="$missing tpm2-tools"
    [ -x /usr/libexec/fprintd ] || missing="$missing fprintd"
    # Debian's own Python has the module; one that shadows it on PATH has not.
    /usr/bin/python3 -c 'import dbusmock' 2>/dev/null || missing="$missing python3-dbusmock"
fi
if [ "${1-}" = --service ]; then
    # Debian keeps the server's programs out of PATH.
    ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null || missing="$missing postgresql"
    # A token in software, and the tool that makes a key on one.
    [ -e /usr/lib/softhsm/libsofthsm2.so ] && command -v softhsm2-util >/dev/null || missing="$missing softhsm2"
    command -v pkcs11-tool >/dev/null || missing="$missing opensc"
    # Go's client of transparency logs, which proves the ledger's.
    command -v go >/dev/null || missing="$missing golang-go"
    [ -d /usr/share/gocode/src/golang.org/x/mod/sumdb/tlog ] || missing="$missing golang-golang-x-mod-dev"
    # Debian parts what a virtual environment needs from its Python.
    /usr/bin/python3 -c 'import ensurepip, venv' 2>/dev/null || missing="$missing python3-venv"
fi
if [ "${1-}" = --peers ]; then
    for package in python3 strace keepassxc python3-pykeepass python3-cryptography python3-argon2 age gpg gpg-agent pass \
        sqlcipher libsecret-tools gnome-keyring dbus systemd clevis clevis-tpm2 tpm2-tools swtpm; do
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing="$missing $package"
    done
fi
if [ "${1-}" = --package ]; then
    command -v dpkg-shlibdeps >/dev/null || missing="$missing dpkg-dev"
    command -v mmdebstrap >/dev/null || missing="$missing mmdebstrap"
fi
if [ "${1-}" = --browser ]; then
    command -v chromium >/dev/null || missing="$missing chromium"
    # A browser without a font shows boxes; with this one the pictures are the same everywhere.
    [ -d /usr/share/fonts/opentype/inter ] || missing="$missing fonts-inter"
    /usr/bin/python3 -c 'import ensurepip, venv' 2>/dev/null || missing="$missing python3-venv"
fi
if [ "${1-}" = --react-native ]; then
    # Any Node from 18 on does; Debian's modules lie where Scripts/react-native.sh looks for them.
    command -v node >/dev/null || missing="$missing nodejs"
    command -v tsc >/dev/null || missing="$missing node-typescript"
    [ -d /usr/share/nodejs/react ] || missing="$missing node-react"
    [ -d /usr/share/nodejs/react-test-renderer ] || missing="$missing node-react-test-renderer"
fi
if [ "${1-}" = --android ] || [ "${1-}" = --react-native ]; then
    command -v javac >/dev/null || missing="$missing openjdk-17-jdk-headless"
    # AOSP's own jni.h, and its org.json.
    [ -e /usr/include/android/nativehelper/jni.h ] || missing="$missing android-libnativehelper-dev"
    [ -e /usr/share/java/json-android.jar ] || missing="$missing libandroid-json-org-java"
    # React Native's module.
    command -v kotlinc >/dev/null || missing="$missing kotlin"
    # How much of the device its tests see.
    [ -e /usr/share/java/org.jacoco.core.jar ] || missing="$missing libjacoco-java"
    # What a manifest may say, as of API 29.
    command -v aapt >/dev/null || missing="$missing aapt"
    [ -e /usr/share/android-framework-res/framework-res.apk ] || missing="$missing android-framework-res"
fi
[ -n "$missing" ] || exit 0

isForPeers=no
[ "${1-}" != --peers ] || isForPeers=yes
# shellcheck disable=SC2086  # the list is words on purpose
set -- $missing
as_root=
if [ "$(id -u)" -ne 0 ]; then
    as_root=sudo
    # Where nobody is there to type a password.
    if [ ! -t 0 ] || [ "${CI:-}" = true ]; then as_root='sudo -n'; fi
fi

if ! command -v apt-get >/dev/null; then
    echo "setup: missing (Debian's names): $*. Install them, then run this again." >&2
    exit 3
fi
[ "$as_root" != sudo ] || echo "setup: sudo may ask for your password, to install $*"
if [ -n "$as_root" ] && ! $as_root true 2>/dev/null; then
    echo "setup: missing: $*. Run this, then try again:" >&2
    echo "    sudo apt-get update && sudo apt-get install --yes $*" >&2
    exit 3
fi

echo "setup: installing $*"
$as_root apt-get update --quiet=2
# `env`, because sudo drops the caller's environment.
install() {
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends --quiet=2 "$@" >/dev/null
}
if [ $isForPeers = no ]; then
    install "$@"
elif ! install "$@" 2>/dev/null; then
    # One that can't be had costs its own tool alone, which bench-peers.py then names.
    for package in "$@"; do install "$package" || echo "setup: $package can't be installed" >&2; done
fi
