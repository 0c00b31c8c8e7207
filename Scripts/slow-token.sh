#!/bin/sh
# A token in software that signs ten times a second, with a key on it, for `make bench-service`.
#
# usage: slow-token.sh DIR     prints `export SIGNER=URI`, which is what `thumbturnd serve --signer` takes, and the name that
#                              SoftHSM looks for; DIR is made, and removed by the caller
#
# Needs what `setup.sh --service` installs.
set -eu
mkdir -m 700 "${1:?a folder}"
folder=$(cd "$1" && pwd)
module=$folder/slow-token.so
clang -shared -fPIC -O2 "$(dirname "$0")/slow-token.c" -o "$module"
mkdir -m 700 "$folder/tokens"
printf 'directories.tokendir = %s\nobjectstore.backend = file\nlog.level = ERROR\n' "$folder/tokens" >"$folder/softhsm2.conf"
(umask 077 && printf 1234 >"$folder/pin")
export SOFTHSM2_CONF="$folder/softhsm2.conf"
softhsm2-util --init-token --free --label bench --pin 1234 --so-pin 5678 >/dev/null
pkcs11-tool --module "$module" --token-label bench --login --pin 1234 --keypairgen --key-type EC:prime256v1 --label key \
    --id 01 >/dev/null 2>&1
echo "export SOFTHSM2_CONF='$SOFTHSM2_CONF'"
echo "export SIGNER='pkcs11:token=bench;object=key?module-path=$module&pin-source=$folder/pin'"
